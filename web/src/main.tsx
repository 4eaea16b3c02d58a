import './ui/tokens.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { saveLanguageBy } from './lib/language.ts';
import { applyLocale, LocaleProvider, storedLocale } from './lib/locale.tsx';
import { followOtherTabs } from './lib/session.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

followOtherTabs();
// The client and the contract are only asked for when there is a server to tell: before sign-in there is none.
saveLanguageBy(async (language) => {
  const [{ send }, { setLanguage }] = await Promise.all([import('./lib/client.ts'), import('virtual:calls/identity')]);
  return send(setLanguage, { body: { language } });
});
// The route's own files are asked for while the texts are on their way.
await Promise.all([applyLocale(storedLocale()), router.load()]);
createRoot(root).render(
  <StrictMode>
    <LocaleProvider>
      <RouterProvider router={router} />
    </LocaleProvider>
  </StrictMode>,
);
