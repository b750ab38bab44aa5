import type { alerts as english } from '../en/alerts.ts';
import type { Translation } from '../translation.ts';

export const alerts: Translation<typeof english> = {
  title: 'अलर्ट',
  open: '{count, plural, =0 {अलर्ट: कोई नहीं} one {अलर्ट: # सक्रिय} other {अलर्ट: # सक्रिय}}',
  lastKnown:
    '{count, plural, =0 {अलर्ट: पता नहीं} one {अलर्ट: पिछली बार पढ़ने पर # सक्रिय} other {अलर्ट: पिछली बार पढ़ने पर # सक्रिय}}',
  none: 'सब ठीक है',
  noneHint:
    'कोई दिक़्क़त टिकी रहे तो यहाँ दिखती है, और ठीक होने पर अपने आप हट जाती है। कहीं और सूचना पाने के लिए WARDEN_ALERT_WEBHOOK सेट करें।',
  now: 'अभी',
  over: 'ख़त्म हो चुके',
  began: '<age></age> शुरू हुआ',
  lasted: '{duration} चला, <age></age> ख़त्म हुआ',
  severity: { critical: 'गंभीर', warning: 'चेतावनी', info: 'सूचना' },
  message: {
    engine_down:
      '{whole, select, yes {{model} की कोई रेप्लिका चालू नहीं है: {url} जवाब नहीं दे रहा} other {{url} ({model}) बंद है; उसकी बातचीत दूसरी रेप्लिका सँभाल रही हैं}}',
    replica_stuck:
      '{model} की रेप्लिका {replica} पर {waiting, plural, one {# रिक्वेस्ट} other {# रिक्वेस्ट}} इंतज़ार में हैं और {time} से उसने एक भी टोकन नहीं बनाया',
    disk_nearly_full: 'जिस डिस्क पर डेटा फ़ोल्डर है, उसमें केवल {free} जगह बची है',
    keys_failing: 'पाँच मिनट में {refused} रिक्वेस्ट बिना वैध key के आईं',
    hit_share_collapsed: 'पिछले दस मिनट में {model} के केवल {percent} prompt टोकन cache से आए; आम तौर पर {usual} आते हैं',
    working_set_above_cache:
      '{model} की रेप्लिका {replica} की बातचीतों में {tokens} टोकन हैं, जबकि उसके cache में {capacity} समाते हैं: वे एक-दूसरे को बाहर धकेल रही हैं',
    engine_restarted: '{url} ({model}) का इंजन फिर से शुरू हुआ: उसके cache ख़ाली हैं',
  },
  action: {
    engine_down: 'देखें कि इंजन चल रहा है या नहीं, और उसका log पढ़ें। रिक्वेस्ट कुछ देर उसका इंतज़ार करती हैं, फिर उन्हें 503 मिलता है।',
    replica_stuck: 'इंजन को फिर से शुरू करें। दूसरी रेप्लिका हों तो पहले इसे ड्रेन करें, ताकि इसकी बातचीत उन पर चली जाएँ।',
    disk_nearly_full:
      'कुछ जगह ख़ाली करें। डिस्क भर जाने पर भी रिक्वेस्ट का जवाब मिलता रहेगा; आँकड़े जगह मिलने तक मेमोरी में रुकते हैं, बहुत ज़्यादा होने पर सबसे पुराने हट जाते हैं, और सेटिंग्स के बदलाव नहीं लिए जाते।',
    keys_failing: 'देखें कि कोई key समाप्त या रद्द तो नहीं हुई और कोई क्लाइंट अब भी उसे इस्तेमाल कर रहा है, या कोई अंदाज़ा लगा रहा है।',
    hit_share_collapsed:
      'सेशन पेज बताता है कि टर्न cache से क्यों चूके। आम कारण: cache में समाने से ज़्यादा बातचीत, इंजन का फिर से शुरू होना, या ऐसा क्लाइंट जो अपने prompt की शुरुआत बदलता है।',
    working_set_above_cache: 'cache-fit admission चालू करें, एक साथ कम सेशन चलाएँ, या एक रेप्लिका बढ़ाएँ।',
    engine_restarted: 'अगर किसी ने उसे फिर से शुरू नहीं किया, तो कारण उसके log में है: ज़्यादातर मेमोरी कम पड़ना।',
  },
};
