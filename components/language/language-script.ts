/** Where the browser remembers the choice of a language. */
export const LANGUAGE_KEY = 'warden.language';

/** On <html> while the static shell is in English and its reader's language is not loaded yet; hides the page. */
export const LANGUAGE_PENDING = 'data-language-pending';

/** Runs before the first paint, inline: a reader of Hindi never sees the English shell flash by. */
export const LANGUAGE_SCRIPT = `(function(){var l;try{l=localStorage.getItem('${LANGUAGE_KEY}')}catch(e){}
if(l==='hi'||l!=='en'&&navigator.language.indexOf('hi')===0)document.documentElement.setAttribute('${LANGUAGE_PENDING}','')})()`;
