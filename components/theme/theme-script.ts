/** Where the browser remembers the choice, and the event that tells of a new one. */
export const THEME_KEY = 'warden.theme';

/**
 * Runs before the first paint, inline: sets `data-theme` on <html> from what was chosen, else from the system, and
 * follows the system while nothing is chosen.
 */
export const THEME_SCRIPT = `(function(){
var m=matchMedia('(prefers-color-scheme: dark)');
function set(){var t;try{t=localStorage.getItem('${THEME_KEY}')}catch(e){}
document.documentElement.dataset.theme=t==='light'||t==='dark'?t:m.matches?'dark':'light'}
set();m.addEventListener('change',set);addEventListener('storage',set);addEventListener('${THEME_KEY}',set)})()`;
