"""P3, P4, P5: any earlier command may come again at any time, to either of two processes.

The same machine drives two HTTP processes in `tests/cluster/test_state_machine.py`.
"""

from functools import partial

from services.tokens import Keys
from tests.contract.asking import ask, elsewhere
from tests.contract.machine import demand_answers
from tests.house import House


def test_P3_P4_P5_any_earlier_command_may_come_again_at_any_time_to_either_process(house: House) -> None:
    with elsewhere(house) as there:
        ends = partial(ask, house.service), there
        demand_answers(ends, house.service.store, Keys(house.config.server_key))
