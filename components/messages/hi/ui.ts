import type { ui as english } from '../en/ui.ts';
import type { Translation } from '../translation.ts';

export const ui: Translation<typeof english> = {
  tryAgain: 'फिर कोशिश करें',
  close: 'बंद करें',
  cancel: 'रद्द करें',
  copy: 'कॉपी करें',
  copyNamed: '{title} कॉपी करें',
  copied: 'कॉपी हो गया',
  copyFailed: 'कॉपी नहीं हुआ: ख़ुद चुनकर कॉपी करें',
  loading: 'लोड हो रहा है',
  nothingYet: 'जब तक राउटर जवाब नहीं देता, दिखाने को कुछ नहीं है।',
  notRefreshed: 'ताज़ा नहीं हुआ: {why}',
  notReported: 'रिपोर्ट नहीं किया गया',
  notReportedByEngine: 'इंजन ने रिपोर्ट नहीं किया',
  model: 'मॉडल',
  allModels: 'सभी मॉडल',
  pager: { label: 'टेबल के पेज', shown: '{all} में से {first} से {last}', before: 'पिछली पंक्तियाँ', after: 'अगली पंक्तियाँ' },
  health: { up: 'चालू', degraded: 'आंशिक', down: 'बंद', draining: 'ड्रेन हो रही है' },
  decision: {
    placed: 'बातचीत की पहली रिक्वेस्ट, सबसे कम लोड वाली रेप्लिका पर रखी गई',
    sticky: 'अपने home पर गई',
    spilled: 'home spill threshold पर था, इसलिए कहीं और भेजी गई',
    failed_over: 'home बंद है, इसलिए कहीं और भेजी गई',
    client_pinned: 'क्लाइंट ने रेप्लिका ख़ुद बताई',
    balanced: 'सेशन key नहीं थी, या यह छोटी सहायक रिक्वेस्ट थी (शीर्षक, टोकन गिनती): सबसे कम लोड वाली रेप्लिका',
    unrouted: 'इंजन के अपने बैलेंसर ने तय किया',
  },
  failure: {
    unreachable: 'राउटर तक पहुँच नहीं हो पा रही है',
    unreachableDetail: '{host} से कोई जवाब नहीं। क्या प्रोसेस अब भी चल रहा है?',
    malformed: 'राउटर ने ऐसा जवाब दिया जिसे यह पेज नहीं समझता',
    malformedDetail: '{what}। क्या यह पेज राउटर से पुराना है? इसे रीलोड करें।',
    unexplained: 'यह नहीं हो पाया',
    unexplainedDetail: 'राउटर ने {status} जवाब दिया और कारण नहीं बताया।',
  },
};
