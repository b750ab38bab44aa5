import { routing } from './routing.ts';

export const model = {
  routing,
  inFlight: {
    title: 'In flight',
    note: '{count} now',
    empty: 'No request is under way',
    caption: 'Requests in flight',
    started: 'Started',
    state: 'State',
    waiting: 'waiting',
    streaming: 'streaming',
    waitingMeaning: 'The engine works on the prompt, or queues it: no byte has come yet',
    streamingMeaning: 'The answer is being sent, for {time}',
    replica: 'Replica',
    engineChooses: "engine's choice",
    decision: 'Decision',
    session: 'Session',
    noKey: 'no key',
    side: 'side request',
    client: 'Client',
    unknown: 'unknown',
    more: '{count, plural, one {1 more} other {# more}}, younger ones',
  },
  advice: {
    title: 'Advice',
    note: 'from the last {requests, plural, one {# request} other {# requests}}, one hour at most',
    nothing: 'The counters show nothing to mend.',
    few: '{requests} of {needed} requests that it takes to say more; engines are checked already.',
    warn: 'Worth mending',
    info: 'Good to know',
    client: 'Client: {client}.',
    prefixSpoiled: {
      title: 'Conversations stay home, but their turns are cold',
      seen: '{sticky} of turns went home and {used} of the cache is in use, yet only {hit} of their prompt came from it.',
      do: 'Something changes at the beginning of the prompt between turns (a date, a tool list, a billing line), or several conversations share one session key. The Sessions page says for each turn why it missed.',
    },
    keysChange: {
      title: 'Nearly every request looks like a new conversation',
      seen: '{placed} of {requests} requests with a session key were first placements.',
      source: 'The key came from {source}.',
      do: 'The client sends another session id with each request. Send one that stays for the whole conversation, or none: then conversations are found by their messages.',
    },
    tooMany: {
      title: 'More conversations than the caches hold',
      seen: '{conversations, plural, one {1 conversation is} other {# conversations are}} alive, {used} of the cache, and only {hit} of prompt tokens came from it: they evict each other.',
      fitting: 'About {fitting} of this size fit.',
      turnOn:
        'Turn on cache-fit on this page: it lets as many go on as fit. Or run fewer sessions at once, or more replicas.',
      isOn: 'Cache-fit is on and holds turns back; for more at once it takes more replicas, or a larger cache (--gpu-memory-utilization, an FP8 KV cache).',
    },
    pegged: {
      title: 'One replica is full while another is idle',
      seen: 'On replica {replica} {waiting} requests wait on average, while replica {idle} runs {running}.',
      do: 'Lower the spill threshold from {threshold} to about {suggested}, so that turns leave a full home earlier.',
    },
    spills: {
      title: 'Many turns leave their home',
      seen: '{spilled} of {turns} later turns spilled ({percent}), and nothing waits in the engines.',
      do: 'Raise the spill threshold from {threshold} to about {suggested}: a short queue at home costs less than a cold prompt elsewhere.',
    },
    overloaded: {
      title: 'More requests than the replicas take',
      seen: '{percent} of later turns spilled, and on all {replicas} replicas {waiting} requests wait on average.',
      do: 'No spill threshold helps here. Run fewer sessions, add replicas, or turn on cache-fit.',
    },
    cachingOff: {
      title: 'Prefix caching is off',
      seen: '{replicas, plural, one {1 replica computes} other {# replicas compute}} every turn from its first token, so affinity gains nothing.',
      do: 'Start vLLM with --enable-prefix-caching.',
    },
    cachedNotReported: {
      title: 'The engine does not say what came from its cache',
      seen: '{percent} of {requests} answers told their cached tokens; the others count as computed.',
      do: 'Start vLLM with --enable-prompt-tokens-details.',
    },
    versionsDiffer: {
      title: 'The replicas run different versions',
      seen: 'vLLM {versions}.',
      do: 'Bring them to one version: speed, metrics and tokens of a prompt differ between versions.',
    },
    capacitiesDiffer: {
      title: 'The replicas have caches of different sizes',
      seen: 'From {least} to {most} tokens.',
      do: 'Give them the same cards, --gpu-memory-utilization and --max-model-len, or expect the small ones to evict first.',
    },
    capacityUnknown: {
      title: 'The size of the cache is not known',
      seen: '{replicas, plural, one {1 replica does} other {# replicas do}} not report it (vllm:cache_config_info), so nobody can say how many conversations fit.',
      do: "Use vLLM's Python front end; until then the size is learned from what is found in the cache.",
    },
    affinityOff: {
      title: 'Affinity is off',
      seen: "The engine's balancer, or the least load, chooses for each turn; {turns, plural, one {1 turn} other {# turns}} with a session key went without a home.",
      do: 'Turn it on above, unless you compare both on the Benchmark page.',
    },
    noSessionKey: {
      title: 'Many requests have no session key',
      seen: '{without} of {requests} requests ({percent}) went to the least-loaded replica, wherever their cache was.',
      most: 'Most of them, {count}, come from {client}.',
      do: 'The Connect page says how clients send one; any that can send a header can send x-session-id.',
    },
  },
  engine: {
    title: 'Engine',
    lastFailed: 'Last reading failed',
    noReading: 'No reading',
    version: 'Version',
    address: 'Address',
    addresses: 'Addresses',
    lastReading: 'Last reading',
    noneYet: 'none yet',
    restarted: 'Restarted',
    restartedCold: '<age></age>: its cache and counters started empty',
    notReported: 'Not reported',
    nothingMissing: 'nothing is missing',
    unknownVersion: 'not reported',
    neverPinned: 'Unrouted paths',
    neverPinnedWhy:
      'One URL with several ranks: on these paths the engine ignores the pin, so it balances them itself.',
    waiting: '{requests, plural, one {1 request is} other {# requests are}} waiting for the engine to come back',
    waitingHow:
      'They go on by themselves when it does. What has waited for <code>limits.engine_away_seconds</code> is answered with 503.',
    billing: 'Billing line',
    billingPinned: "Claude Code's is pinned for this model",
    billingLeft: "Claude Code's is left as it is",
    billingWhy:
      '<code>x-anthropic-billing-header</code> stands first in the prompt and differs between conversations, in some versions between turns; behind a change nothing is found in a cache. <key>pin_billing_line</key> in warden.yaml makes it the same in all.',
    translated: 'sent as chat completions, so that it can be pinned',
    translatedRest: 'What needs stored state goes through unrouted. <key>translate_responses</key> in warden.yaml.',
    translatedRestOff:
      'What needs stored state goes through unrouted, and so does all while affinity is off. <key>translate_responses</key> in warden.yaml.',
    lacks: {
      nothing:
        'Load, KV cache and prompt tokens: /metrics has no vllm: series. Start vLLM without --disable-log-stats, and see that nothing in between hides its /metrics.',
      load: 'Running and waiting requests: /metrics does not have them for every rank.',
      kv_usage: 'KV cache usage: /metrics does not have it for every rank.',
      caching_off:
        'Prefix caching is off: every turn is computed from its first token, so affinity gains nothing. Start vLLM with --enable-prefix-caching.',
      cached:
        'Cached prompt tokens: the engine has no counter for them. vLLM 0.16 and later report prompt_tokens_by_source.',
      inflated:
        'Prefix-cache hits are taken from prefix_cache_queries, which vLLM before 0.27 counts again at every step that a request waits: the hit share is wrong while requests queue. vLLM 0.16 and later report prompt_tokens_by_source.',
      capacity:
        'KV cache size: /metrics has no vllm:cache_config_info with the number of blocks (the Rust front end leaves it out). Use the Python front end to see how many conversations fit.',
      max_num_seqs:
        'max_num_seqs: vLLM does not report it. Set max_num_seqs in the configuration to what the engine was started with, so that the automatic spill threshold fits.',
    },
  },
  events: {
    title: 'Events',
    empty: 'Nothing has happened yet',
    affinityOn: 'Affinity turned on',
    affinityOff: 'Affinity turned off',
    cacheFitOn: 'Cache-fit turned on',
    cacheFitOff: 'Cache-fit turned off',
    threshold: 'Spill threshold changed from {from} to {to}',
    auto: '{value} (auto)',
    restarted: '{url} restarted: its caches are cold, conversations are placed anew',
    up: '{url} is up',
    down: '{url} is down: {error}',
    drain: 'Replica {replica} is draining: it takes no new conversations',
    undrain: 'Replica {replica} takes conversations again',
    added: 'Model added in the console',
    changed: 'Model changed in the console',
    removed: 'Model removed in the console',
  },
} as const;
