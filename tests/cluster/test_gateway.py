"""The gateway in front of the cluster asks its HTTP processes in turn, so that no test rests on one of them."""

from werkzeug.test import Client

from tests.cluster.gateway import Gateway
from tests.cluster.running import Cluster


def test_requests_go_to_each_process_in_turn(cluster: Cluster) -> None:
    gateway = Gateway([end.url for end in cluster.ends])
    client = Client(gateway)
    assert [client.get("/api/v1/games").status_code for _ in range(6)] == [200] * 6
    assert list(gateway.asked.values()) == [3, 3]
    assert client.get("/health/live").status_code == 200
    assert sum(gateway.asked.values()) == 7
