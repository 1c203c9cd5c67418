from ledgertop.cli import main

main()
