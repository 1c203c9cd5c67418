from ledgertop.wiring import *
from services.service import Service
from services.clock import SystemClock
from services.feed import Feed
from tests.api.read_models import *
def build(config, migrate=False):
    store=open_store(config,migrate=migrate); tables=open_tables(config)
    seeds,people=Seeds(tables),People(tables)
    seeds.migrate(); people.migrate()
    ledger=Ledger(store); clock=SystemClock()
    m=Matches(ledger,seeds,people,Keys(config.server_key),clock,idle_limit=config.idle_limit)
    l=Looking(ledger,people)
    return Service(store=store,ledger=ledger,seeds=seeds,people=people,matches=m,looking=l,feed=Feed(store,l),effects=None,lobby=FakeLobby(),statistics=FakeStatistics(),progress=FakeProgress(),clock=clock,on_close=tables.close)
