"""What two HTTP processes, two workers and two projectors have written together has no fault."""

from services.service import Service
from tests.cli.running import Ledgertop
from tests.cluster.running import Cluster
from tests.faults.epilogue import demand_contiguous


def test_P9_P18_whatever_was_done_to_the_cluster_in_this_run_is_verified(
    cluster: Cluster, beside_cluster: Service
) -> None:
    match, token = cluster.ends[0].open(deal=7)
    cluster.ends[1].play_on(match, token)
    url = str(cluster.config.database_url)
    verified = Ledgertop(cluster.config.data).run("verify", "--all", LEDGERTOP_DATABASE_URL=url)
    assert (verified.code, "FAULTS" in verified.out) == (0, False), verified.out
    assert match in verified.out
    assert demand_contiguous(beside_cluster)
