export const USAGE = `Usage: lm-warden [command] [options]

Commands:
  start                 the router on /v1 and the console; what runs where no command is given
  doctor                looks at this machine and the engines, and says what to mend; exit 1 where something is wrong
  backup FILE           copies the database while LM Warden runs
  restore FILE          puts a backup in place while it does not run; what was there is kept beside it
  check-config [FILE]   reads a configuration and says what is wrong with it

Options of start and doctor (each has a variable; a flag wins):
  --upstream URL        WARDEN_UPSTREAM     a running vLLM; several separated by commas
  --config FILE         WARDEN_CONFIG       a warden.yaml; default: the one in this folder, if there is one
  --host ADDRESS        WARDEN_HOST         default 127.0.0.1
  --port NUMBER         WARDEN_PORT         default 8090
  --data FOLDER         WARDEN_DATA_DIR     default ./data; for backup and restore too
  --log-level LEVEL     WARDEN_LOG_LEVEL    debug, info, warn, error, silent; default info

Options of restore:
  --at-next-start       while it runs: checks the backup, and the next start puts it in place
  --cancel              takes back what waits for the next start

Options of doctor:
  --console URL         also sends a stream through LM Warden, as clients reach it; WARDEN_API_KEY is its key
  --no-requests         sends no request to the engines (otherwise a few, for answers of one token)
  --json                prints JSON. The key of an engine given by --upstream is read from VLLM_API_KEY

  -h, --help            this
  -v, --version         the version
`;
