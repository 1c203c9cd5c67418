"""P3, P4, P5: any earlier command may come again at any time, to either of two HTTP processes on one database."""

from functools import partial

from services.service import Service
from services.tokens import Keys
from tests.cluster.running import Cluster
from tests.contract.asking import ask_over_http
from tests.contract.machine import demand_answers
from tests.faults.chaos import rounds


def test_P3_P4_P5_any_earlier_command_may_come_again_at_any_time_to_either_http_process(
    cluster: Cluster, beside_cluster: Service
) -> None:
    one, two = (partial(ask_over_http, end) for end in cluster.ends)
    keys = Keys(cluster.config.server_key)
    demand_answers((one, two), beside_cluster.store, keys, examples=rounds(12, 200))
