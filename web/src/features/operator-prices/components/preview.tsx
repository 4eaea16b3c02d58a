import type { Locale } from '@causeway/contract/locale.ts';
import { useState } from 'react';
import { localeNames, useLocale, useText } from '../../../lib/locale.tsx';
import { Tabs } from '../../../ui/tabs.tsx';

type Words = Readonly<Record<Locale, { title: string; body: string }>>;

/** An announcement as a company gets it in each language: the notice in the console, and the mail. */
export function Preview({ texts }: { texts: Words }) {
  const t = useText();
  const [locale, setLocale] = useState<Locale>(useLocale());
  const { title, body } = texts[locale];
  const paragraphs = body.split(/\r?\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  const heading = title === '' ? t('ops.announcements.noTitle') : title;
  return (
    <Tabs
      label={t('ops.announcements.language')}
      tabs={(['en-us', 'zh-hk', 'zh-cn'] as const).map((key) => ({ key, label: localeNames[key] }))}
      value={locale}
      onChange={setLocale}
    >
      <div lang={locale} className="flex flex-col gap-6">
        <section className="flex flex-col gap-2">
          <h3 className="m-0 text-13 font-medium text-faint">{t('ops.announcements.asNotice')}</h3>
          <article className="rounded-10 border border-line px-4 py-3">
            <p className="m-0 font-medium break-words">{heading}</p>
            <p className="m-0 mt-1 text-13 break-words whitespace-pre-line text-muted">{body}</p>
          </article>
        </section>
        <section className="flex flex-col gap-2">
          <h3 className="m-0 text-13 font-medium text-faint">{t('ops.announcements.asMail')}</h3>
          <article className="rounded-10 border border-line px-4 py-3">
            <p className="m-0 border-b border-line pb-2 text-13 break-words">
              <span className="text-faint">{t('ops.announcements.subject')}</span> {heading}
            </p>
            {paragraphs.map((paragraph, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text have no other identity
              <p key={index} className="m-0 mt-3 break-words whitespace-pre-line">
                {paragraph}
              </p>
            ))}
          </article>
        </section>
      </div>
    </Tabs>
  );
}
