// Runs before anything else on the page: sets theme and language so that the shell is right at its first paint, and
// asks at once for the files this address will need, which the entry script would only discover a round trip later.
(() => {
  const page = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const locales = { 'en-us': 'en-US', 'zh-hk': 'zh-HK', 'zh-cn': 'zh-CN' };
  const stored = read('language') ?? read('language-of-account');
  const locale = stored !== null && stored in locales ? stored : 'en-us';
  page.lang = locales[locale];
  const theme = read('theme');
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme;
  const path = location.pathname.replace(/\/+$/, '') || '/app/home';
  page.dataset.shell = path.startsWith('/app') ? 'console' : 'public';
  const routes = __PRELOAD_MAP__;
  const ask = (file) => {
    const style = file.endsWith('.css');
    const link = document.createElement('link');
    link.rel = style ? 'preload' : 'modulepreload';
    if (style) link.as = 'style';
    link.crossOrigin = '';
    link.href = `/${file}`;
    document.head.append(link);
  };
  // Moving on within the page needs the same list: the app's own scripts carry no second one.
  globalThis.preloadPage = (name) => routes[name]?.files.splice(0).forEach(ask);
  const fits = (pattern) => {
    const parts = path.split('/');
    const wanted = pattern.split('/');
    return parts.length === wanted.length && wanted.every((part, i) => part === parts[i] || part.startsWith('$'));
  };
  const name = Object.keys(routes).find(fits);
  if (name === undefined) return;
  globalThis.preloadPage(name);
  routes[name].texts[locale].forEach(ask);
})();
