import type { model as english } from '../en/model.ts';
import type { Translation } from '../translation.ts';
import { routing } from './routing.ts';

export const model: Translation<typeof english> = {
  routing,
  inFlight: {
    title: 'In flight',
    note: 'अभी {count}',
    empty: 'अभी कोई रिक्वेस्ट नहीं चल रही',
    caption: 'In flight रिक्वेस्ट',
    started: 'शुरू',
    state: 'स्थिति',
    waiting: 'इंतज़ार में',
    streaming: 'जवाब आ रहा है',
    waitingMeaning: 'इंजन prompt पर काम कर रहा है, या वह कतार में है: अभी एक भी बाइट नहीं आया',
    streamingMeaning: 'जवाब {time} से भेजा जा रहा है',
    replica: 'रेप्लिका',
    engineChooses: 'इंजन की पसंद',
    decision: 'फ़ैसला',
    session: 'सेशन',
    noKey: 'key नहीं',
    side: 'सहायक रिक्वेस्ट',
    client: 'क्लाइंट',
    unknown: 'अज्ञात',
    more: '{count, plural, one {1 और} other {# और}}, बाद में शुरू हुईं',
  },
  advice: {
    title: 'सुझाव',
    note: 'पिछली {requests, plural, one {# रिक्वेस्ट} other {# रिक्वेस्ट}} से, ज़्यादा से ज़्यादा एक घंटे की',
    nothing: 'आँकड़ों में सुधारने लायक कुछ नहीं दिखता।',
    few: 'और बताने के लिए {needed} रिक्वेस्ट चाहिए, अभी {requests} हैं; इंजन जाँच लिए गए हैं।',
    warn: 'सुधारने लायक',
    info: 'जानने लायक',
    client: 'क्लाइंट: {client}।',
    prefixSpoiled: {
      title: 'बातचीतें अपने होम पर हैं, फिर भी उनके टर्न cold हैं',
      seen: '{sticky} टर्न होम पर गए और cache का {used} इस्तेमाल में है, फिर भी उनके prompt का सिर्फ़ {hit} cache से आया।',
      do: 'टर्न के बीच prompt की शुरुआत में कुछ बदलता है (तारीख़, tool की सूची, billing line), या कई बातचीतें एक ही सेशन key इस्तेमाल करती हैं। सेशन पेज हर टर्न के लिए बताता है कि cache क्यों नहीं मिला।',
    },
    keysChange: {
      title: 'लगभग हर रिक्वेस्ट नई बातचीत जैसी दिखती है',
      seen: 'सेशन key वाली {requests} रिक्वेस्ट में से {placed} पहली placement थीं।',
      source: 'Key {source} से आई।',
      do: 'क्लाइंट हर रिक्वेस्ट के साथ अलग सेशन id भेजता है। ऐसी id भेजें जो पूरी बातचीत में वही रहे, या कोई न भेजें: तब बातचीतें उनके संदेशों से पहचानी जाती हैं।',
    },
    tooMany: {
      title: 'जितना cache है उससे ज़्यादा बातचीतें',
      seen: '{conversations, plural, one {1 बातचीत चल रही है} other {# बातचीतें चल रही हैं}}, cache का {used}, और prompt टोकन का सिर्फ़ {hit} cache से आया: वे एक-दूसरे को cache से निकालती हैं।',
      fitting: 'इस आकार की लगभग {fitting} समाती हैं।',
      turnOn:
        'इसी पेज पर cache-fit चालू करें: वह उतनी ही बातचीतें आगे बढ़ाता है जितनी समाती हैं। या एक साथ कम सेशन चलाएँ, या ज़्यादा रेप्लिका।',
      isOn: 'Cache-fit चालू है और टर्न रोकता है; एक साथ ज़्यादा के लिए ज़्यादा रेप्लिका या बड़ा cache चाहिए (--gpu-memory-utilization, FP8 KV cache)।',
    },
    pegged: {
      title: 'एक रेप्लिका भरी है जबकि दूसरी ख़ाली है',
      seen: 'रेप्लिका {replica} पर औसतन {waiting} रिक्वेस्ट इंतज़ार करती हैं, जबकि रेप्लिका {idle} पर {running} चल रही हैं।',
      do: 'Spill threshold {threshold} से घटाकर लगभग {suggested} करें, ताकि टर्न भरे होम से पहले ही निकल जाएँ।',
    },
    spills: {
      title: 'बहुत से टर्न अपना होम छोड़ते हैं',
      seen: 'बाद के {turns} टर्न में से {spilled} spill हुए ({percent}), और इंजन में कुछ भी इंतज़ार नहीं कर रहा।',
      do: 'Spill threshold {threshold} से बढ़ाकर लगभग {suggested} करें: होम पर छोटी कतार, कहीं और cold prompt से सस्ती है।',
    },
    overloaded: {
      title: 'रेप्लिका जितना ले सकती हैं उससे ज़्यादा रिक्वेस्ट',
      seen: 'बाद के टर्न का {percent} spill हुआ, और सभी {replicas} रेप्लिका पर औसतन {waiting} रिक्वेस्ट इंतज़ार करती हैं।',
      do: 'यहाँ कोई spill threshold काम नहीं आएगा। कम सेशन चलाएँ, रेप्लिका बढ़ाएँ, या cache-fit चालू करें।',
    },
    cachingOff: {
      title: 'Prefix caching बंद है',
      seen: '{replicas, plural, one {1 रेप्लिका} other {# रेप्लिका}} हर टर्न पहले टोकन से गिनती हैं, इसलिए affinity से कोई फ़ायदा नहीं।',
      do: 'vLLM को --enable-prefix-caching के साथ चलाएँ।',
    },
    cachedNotReported: {
      title: 'इंजन नहीं बताता कि cache से क्या आया',
      seen: '{requests} जवाबों में से {percent} ने cached टोकन बताए; बाकी computed गिने जाते हैं।',
      do: 'vLLM को --enable-prompt-tokens-details के साथ चलाएँ।',
    },
    versionsDiffer: {
      title: 'रेप्लिका अलग-अलग वर्शन चला रही हैं',
      seen: 'vLLM {versions}।',
      do: 'सबको एक वर्शन पर लाएँ: वर्शन के साथ गति, metrics और prompt के टोकन बदलते हैं।',
    },
    capacitiesDiffer: {
      title: 'रेप्लिका के cache अलग-अलग आकार के हैं',
      seen: '{least} से {most} टोकन तक।',
      do: 'सबको एक जैसे कार्ड, --gpu-memory-utilization और --max-model-len दें, वरना छोटे cache पहले ख़ाली होंगे।',
    },
    capacityUnknown: {
      title: 'Cache का आकार पता नहीं',
      seen: '{replicas, plural, one {1 रेप्लिका} other {# रेप्लिका}} इसे नहीं बतातीं (vllm:cache_config_info), इसलिए कोई नहीं कह सकता कि कितनी बातचीतें समाती हैं।',
      do: 'vLLM का Python front end इस्तेमाल करें; तब तक आकार cache में मिली चीज़ों से सीखा जाता है।',
    },
    affinityOff: {
      title: 'Affinity बंद है',
      seen: 'हर टर्न के लिए इंजन का बैलेंसर, या सबसे कम लोड, चुनता है; सेशन key वाले {turns, plural, one {1 टर्न} other {# टर्न}} बिना होम के गए।',
      do: 'इसे ऊपर चालू करें, जब तक कि आप Benchmark पेज पर दोनों की तुलना न कर रहे हों।',
    },
    noSessionKey: {
      title: 'बहुत सी रिक्वेस्ट में सेशन key नहीं है',
      seen: '{requests} में से {without} रिक्वेस्ट ({percent}) सबसे कम लोड वाली रेप्लिका पर गईं, उनका cache चाहे जहाँ हो।',
      most: 'इनमें सबसे ज़्यादा, {count}, {client} से आती हैं।',
      do: 'Connect पेज बताता है कि क्लाइंट इसे कैसे भेजते हैं; जो भी header भेज सकता है वह x-session-id भेज सकता है।',
    },
  },
  engine: {
    title: 'इंजन',
    lastFailed: 'पिछली रीडिंग नहीं हो पाई',
    noReading: 'कोई रीडिंग नहीं',
    version: 'वर्शन',
    address: 'पता',
    addresses: 'पते',
    lastReading: 'पिछली रीडिंग',
    noneYet: 'अभी कोई नहीं',
    restarted: 'रीस्टार्ट',
    restartedCold: '<age></age>: इसके cache और counter ख़ाली शुरू हुए',
    notReported: 'नहीं बताता',
    nothingMissing: 'कुछ भी कम नहीं',
    unknownVersion: 'रिपोर्ट नहीं किया गया',
    neverPinned: 'Unrouted पाथ',
    neverPinnedWhy: 'एक URL पर कई rank: इन पाथ पर इंजन pin को नहीं मानता, इसलिए ख़ुद बाँटता है।',
    waiting: '{requests, plural, one {1 रिक्वेस्ट} other {# रिक्वेस्ट}} इंजन के लौटने का इंतज़ार कर रही हैं',
    waitingHow:
      'उसके लौटते ही वे ख़ुद आगे बढ़ती हैं। जो <code>limits.engine_away_seconds</code> तक इंतज़ार कर चुकी, उसे 503 मिलता है।',
    billing: 'Billing line',
    billingPinned: 'इस मॉडल के लिए Claude Code की billing line स्थिर कर दी जाती है',
    billingLeft: 'Claude Code की billing line जैसी है वैसी छोड़ दी जाती है',
    billingWhy:
      '<code>x-anthropic-billing-header</code> prompt में सबसे पहले आता है और बातचीतों के बीच, कुछ वर्शन में हर टर्न पर, बदलता है; बदलाव के बाद का कुछ भी cache में नहीं मिलता। warden.yaml में <key>pin_billing_line</key> इसे सब में एक जैसा कर देता है।',
    translated: 'chat completion बनाकर भेजा जाता है, ताकि pin किया जा सके',
    translatedRest: 'जिसे stored state चाहिए वह unrouted जाता है। warden.yaml में <key>translate_responses</key>।',
    translatedRestOff:
      'जिसे stored state चाहिए वह unrouted जाता है, और affinity बंद रहने पर सब कुछ। warden.yaml में <key>translate_responses</key>।',
    lacks: {
      nothing:
        'लोड, KV cache और prompt टोकन: /metrics में vllm: की कोई series नहीं। vLLM को --disable-log-stats के बिना चलाएँ, और देखें कि बीच में कोई /metrics न छिपाए।',
      load: 'Running और waiting रिक्वेस्ट: /metrics में हर rank के लिए नहीं हैं।',
      kv_usage: 'KV cache का इस्तेमाल: /metrics में हर rank के लिए नहीं है।',
      caching_off:
        'Prefix caching बंद है: हर टर्न पहले टोकन से गिना जाता है, इसलिए affinity से कोई फ़ायदा नहीं। vLLM को --enable-prefix-caching के साथ चलाएँ।',
      cached: 'Cached prompt टोकन: इंजन में इनका counter नहीं है। vLLM 0.16 और बाद के वर्शन prompt_tokens_by_source बताते हैं।',
      inflated:
        'Prefix-cache hit, prefix_cache_queries से लिए जाते हैं, जिसे 0.27 से पहले का vLLM रिक्वेस्ट के हर इंतज़ार वाले step पर फिर गिनता है: कतार के समय hit share ग़लत होता है। vLLM 0.16 और बाद के वर्शन prompt_tokens_by_source बताते हैं।',
      capacity:
        'KV cache का आकार: /metrics में block की संख्या वाला vllm:cache_config_info नहीं है (Rust front end इसे छोड़ देता है)। कितनी बातचीतें समाती हैं यह देखने के लिए Python front end इस्तेमाल करें।',
      max_num_seqs:
        'max_num_seqs: vLLM इसे नहीं बताता। कॉन्फ़िगरेशन में max_num_seqs वही रखें जिससे इंजन चलाया गया, ताकि automatic spill threshold सही बैठे।',
    },
  },
  events: {
    title: 'घटनाएँ',
    empty: 'अभी कुछ नहीं हुआ',
    affinityOn: 'Affinity चालू की गई',
    affinityOff: 'Affinity बंद की गई',
    cacheFitOn: 'Cache-fit चालू किया गया',
    cacheFitOff: 'Cache-fit बंद किया गया',
    threshold: 'Spill threshold {from} से {to} हुआ',
    auto: '{value} (auto)',
    restarted: '{url} रीस्टार्ट हुआ: उसके cache ख़ाली हैं, बातचीतें नए सिरे से रखी जाती हैं',
    up: '{url} चालू है',
    down: '{url} बंद है: {error}',
    drain: 'रेप्लिका {replica} ड्रेन हो रही है: नई बातचीत नहीं लेती',
    undrain: 'रेप्लिका {replica} फिर से बातचीतें लेती है',
    added: 'मॉडल कंसोल में जोड़ा गया',
    changed: 'मॉडल कंसोल में बदला गया',
    removed: 'मॉडल कंसोल में हटाया गया',
  },
};
