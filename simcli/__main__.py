"""`python -m simcli` is `simcli`."""

from simcli.app import main

if __name__ == "__main__":
    main()
