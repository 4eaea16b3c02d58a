import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyLocale, LocaleProvider, storedLocale } from '../lib/locale.tsx';
import { followOtherTabs } from '../lib/session.ts';

/** Starts a console: its texts and the files of the address it was opened at, then the first drawing. */
export async function start(router: AnyRouter): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  followOtherTabs();
  // The route's own files are asked for while the texts are on their way.
  await Promise.all([applyLocale(storedLocale()), router.load()]);
  createRoot(root).render(
    <StrictMode>
      <LocaleProvider>
        <RouterProvider router={router} />
      </LocaleProvider>
    </StrictMode>,
  );
}
