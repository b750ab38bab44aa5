/** What each key of `warden.yaml` is for; `[]` stands for each entry of a list. A test sees that none is missing. */
export const KEY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  models: 'The models that are served, in the order in which the console lists them.',
  'models[].name': 'What clients ask for.',
  'models[].served_model_name': 'What the engine calls it. Without it, the first model that the engine lists.',
  'models[].aliases': 'Other names, also with `*`: Claude Code asks for Claude names by itself.',
  'models[].replicas': 'One vLLM with data-parallel ranks, or several endpoints of one replica each.',
  'models[].replicas[].url': 'Where the engine listens. A `/v1` at its end is taken off.',
  'models[].replicas[].ranks': 'Data-parallel ranks behind the URL; `auto`: as many as its metrics have.',
  'models[].discover': 'Where replicas are found beside those that are listed; each is one URL.',
  'models[].discover.dns': 'A name whose addresses are the replicas (a headless service).',
  'models[].discover.port': 'The port of every address of `dns`.',
  'models[].discover.srv': 'A name whose SRV records are the replicas.',
  'models[].discover.file': 'A file with a list of URLs in YAML or JSON, read again when it changes.',
  'models[].discover.kubernetes': 'The ready endpoints of a service, from its EndpointSlices.',
  'models[].discover.kubernetes.service': 'The name of the service.',
  'models[].discover.kubernetes.namespace': "Without it, the pod's own.",
  'models[].discover.kubernetes.port': 'Name or number; without it, the first.',
  'models[].discover.scheme': 'How the replicas are spoken to.',
  'models[].discover.refresh_seconds': 'How often the name is resolved.',
  'models[].discover.name_servers': "Addresses to ask (`10.0.0.2`, `127.0.0.1:8600`) instead of the system's.",
  'models[].api_key':
    "The engine's key, sent as a bearer token and never shown. Write `${NAME}` and set it in the environment.",
  'models[].max_num_seqs':
    "vLLM's `--max-num-seqs`, which no engine tells over HTTP; the automatic threshold is made from it.",
  'models[].kv_cache_tokens':
    "Tokens that a replica's cache holds, where the engine does not report it (vLLM prints it at start: GPU KV cache size).",
  'models[].affinity': 'Conversations stay on their replica. What holds until the console says otherwise.',
  'models[].spill_threshold':
    'Requests in flight at which a replica spills; `auto`: a quarter of `max_num_seqs`, at least 1.',
  'models[].cache_fit': 'Holds turns back while the conversations of a replica exceed its cache; see cache-fit.md.',
  'models[].yield_after_seconds':
    'Within how long those who are held are to get places, which others give up for them; see cache-fit.md.',
  'models[].pin_billing_line':
    "Makes Claude Code's billing line the same in all requests, so that it does not spoil the cache.",
  'models[].translate_responses':
    'One URL with ranks: sends stateless `/v1/responses` requests as chat completions, which honour the pin.',
  session_headers: 'Headers that carry a session id, asked before the known ones.',
  extra_paths: 'Further POST paths to forward. The engine is assumed to ignore the pin on them.',
  allowed_upstream_hosts: 'Link-local hosts that may be engines all the same when added in the console.',
  limits: 'Bounds on what a request may take.',
  'limits.max_body_mb': 'The largest request body; beyond it 413.',
  'limits.connect_timeout_seconds': 'For a connection to an engine to come about.',
  'limits.headers_timeout_seconds':
    "To the engine's response headers: without streaming there are none until it is done.",
  'limits.body_timeout_seconds': 'The longest silence inside an answer.',
  'limits.engine_away_seconds': 'How long requests wait for an engine that was up and is away, before a 503.',
  'limits.max_hold_seconds': 'How long cache-fit admission may hold a turn; then it goes to the engine.',
};

export const VARIABLE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  WARDEN_HOST: 'Address to listen on. Elsewhere than on loopback it needs a password; see security.md.',
  WARDEN_PORT: '0 takes any free port.',
  WARDEN_DATA_DIR: 'Holds `warden.db`. One process per folder.',
  WARDEN_DRAIN_SECONDS: 'On SIGTERM: how long requests in flight may take to end.',
  WARDEN_CONFIG: 'The configuration file. Not together with `WARDEN_UPSTREAM`.',
  WARDEN_UPSTREAM: 'A running vLLM; several URLs separated by commas.',
  WARDEN_SHARED: 'A Valkey or Redis (`redis://host:6379`) that several wardens share.',
  WARDEN_KUBERNETES_ACCOUNT:
    'The folder with `token`, `ca.crt` and `namespace` of the service account; where a pod has it, unless set.',
  WARDEN_ADVERTISE_URL: 'Where the other wardens say that this one is: browsers follow it.',
  WARDEN_MEMBER_URL: 'Where the other wardens themselves ask this one, if that is not `WARDEN_ADVERTISE_URL`.',
  WARDEN_ADMIN_PASSWORD: 'The password of `admin`. Without it people are those in the database.',
  WARDEN_FIRST_RUN: '`true`: start without a password, to have one chosen by the link that is printed.',
  WARDEN_REQUIRE_KEYS: '`always`: `/v1` wants an API key also on loopback and before the first key is made.',
  WARDEN_ALLOWED_HOSTS: 'Names under which it is reached, besides its address; `*.example.org` for all below.',
  WARDEN_ALLOWED_ORIGINS: 'Origins of other pages that may use `/v1` from a browser.',
  WARDEN_TRUSTED_PROXIES: 'Addresses or networks whose `X-Forwarded-…` headers are believed.',
  WARDEN_METRICS_TOKEN: 'A bearer token with which a Prometheus may read `/metrics`.',
  WARDEN_SHARED_SECRET:
    'The same at all wardens of a fleet: they share keys, people and sign-ins sealed with it. Without it `WARDEN_ADMIN_PASSWORD` is taken.',
  WARDEN_ALERT_WEBHOOK: 'Alerts are sent there as JSON; see operations.md.',
  WARDEN_LOG_LEVEL: '`debug`, `info`, `warn`, `error` or `silent`.',
};
