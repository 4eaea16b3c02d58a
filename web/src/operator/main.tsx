import './styles.css';
import { saveLanguageBy } from '../lib/language.ts';
import { start } from '../shell/start.tsx';
import { router } from './router.tsx';

// As in the companies' console: the client is only asked for when there is a server to tell.
saveLanguageBy(async (language) => {
  const [{ send }, { setOperatorLanguage }] = await Promise.all([
    import('../lib/client.ts'),
    import('virtual:calls/operator'),
  ]);
  return send(setOperatorLanguage, { body: { language } });
});
await start(router);
