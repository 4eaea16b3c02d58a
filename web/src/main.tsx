import './app/styles.css';
import { router } from './app/router.tsx';
import { saveLanguageBy } from './lib/language.ts';
import { start } from './shell/start.tsx';

// The client and the contract are only asked for when there is a server to tell: before sign-in there is none.
saveLanguageBy(async (language) => {
  const [{ send }, { setLanguage }] = await Promise.all([import('./lib/client.ts'), import('virtual:calls/identity')]);
  return send(setLanguage, { body: { language } });
});
await start(router);
