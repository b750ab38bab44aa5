export const alerts = {
  title: 'Alerts',
  open: '{count, plural, =0 {Alerts: none} one {Alerts: # is raised} other {Alerts: # are raised}}',
  lastKnown:
    '{count, plural, =0 {Alerts: not known} one {Alerts: # was raised when last read} other {Alerts: # were raised when last read}}',
  none: 'Nothing is wrong',
  noneHint:
    'Something shows here when it lasts, and goes away by itself. To be told elsewhere, set WARDEN_ALERT_WEBHOOK.',
  now: 'Now',
  over: 'Over',
  began: 'began <age></age>',
  lasted: 'lasted {duration}, over <age></age>',
  severity: { critical: 'Critical', warning: 'Warning', info: 'Note' },
  message: {
    engine_down:
      '{whole, select, yes {No replica of {model} is up: {url} does not answer} other {{url} ({model}) is down; other replicas carry its conversations}}',
    replica_stuck:
      'Replica {replica} of {model} has {waiting, plural, one {# request} other {# requests}} waiting and has made no token for {time}',
    disk_nearly_full: 'The disk with the data folder has {free} left',
    keys_failing: '{refused} requests in five minutes came without a valid key',
    hit_share_collapsed:
      'Only {percent} of the prompt tokens of {model} came from the cache in the last ten minutes; {usual} was usual',
    working_set_above_cache:
      'The conversations on replica {replica} of {model} have {tokens} tokens, its cache holds {capacity}: they push each other out',
    engine_restarted: 'The engine at {url} ({model}) restarted: its caches are cold',
  },
  action: {
    engine_down: 'Look whether the engine runs, and at its log. Requests wait for it for a while, then get a 503.',
    replica_stuck:
      'Restart the engine. If there are other replicas, drain this one first, so that its conversations move over.',
    disk_nearly_full:
      'Free some space. With a full disk requests are served all the same; statistics wait in memory until there is room, the oldest give way when they are too many, and changed settings are refused.',
    keys_failing:
      'See whether a key expired or was revoked and a client still uses it, or whether somebody is guessing.',
    hit_share_collapsed:
      'Sessions tells why turns missed. Usual causes: more conversations than fit into the caches, an engine that restarted, a client that changes the beginning of its prompts.',
    working_set_above_cache: 'Switch on cache-fit admission, run fewer sessions at once, or add a replica.',
    engine_restarted: 'If nobody restarted it, its log says why: most often it ran out of memory.',
  },
} as const;
