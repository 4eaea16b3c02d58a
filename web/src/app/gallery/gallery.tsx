import { type Locale, locales } from '@causeway/contract/locale.ts';
import { applyLocale, localeNames, useLocale, useText } from '../../lib/locale.tsx';
import { applyTheme, type Theme, useTheme } from '../../lib/theme.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonsGallery, FeedbackGallery } from './basics.tsx';
import { FiguresGallery } from './figures.tsx';
import { FormsGallery } from './forms.tsx';
import { OverlaysGallery } from './overlays.tsx';
import { samples } from './samples.ts';
import { TablesGallery } from './tables.tsx';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Every part of `ui/` in all its states, in the language and colours chosen: to be looked at, photographed and checked. */
export function Page() {
  const t = useText();
  const locale = useLocale();
  const theme = useTheme();
  const words = samples[locale];
  return (
    <main id="content" className="mx-auto flex max-w-320 flex-col gap-8 px-4 py-8 md:px-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 data-heading tabIndex={-1} className="m-0 text-20 font-semibold">
          {t('app.title.gallery')}
        </h1>
        <div className="flex flex-wrap gap-2">
          {locales.map((value: Locale) => (
            <Button key={value} size="small" aria-pressed={value === locale} onClick={() => void applyLocale(value)}>
              {localeNames[value]}
            </Button>
          ))}
          {themes.map((value) => (
            <Button key={value} size="small" aria-pressed={value === theme} onClick={() => applyTheme(value)}>
              {t(`app.theme.${value}`)}
            </Button>
          ))}
        </div>
      </div>
      <ButtonsGallery words={words} />
      <FormsGallery words={words} />
      <FiguresGallery words={words} />
      <TablesGallery words={words} />
      <FeedbackGallery words={words} />
      <OverlaysGallery words={words} />
    </main>
  );
}
