import { type Locale, locales } from '@causeway/contract/locale.ts';
import { changeLanguage } from '../../../lib/language.ts';
import { localeNames, useLocale, useText } from '../../../lib/locale.tsx';
import { applyTheme, type Theme, useTheme } from '../../../lib/theme.ts';
import { Card } from '../../../ui/card.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Language and colours. The language is the account's, on screen and in mails; the colours are this browser's. */
export function AppearanceCard() {
  const t = useText();
  const locale = useLocale();
  const theme = useTheme();
  return (
    <Card title={t('ops.account.appearance')}>
      <div className="grid gap-6 sm:grid-cols-2">
        <RadioField<Locale>
          label={t('ui.language')}
          hint={t('ops.account.languageHint')}
          value={locale}
          onChange={(next) => void changeLanguage(next)}
          options={locales.map((value) => ({ value, label: localeNames[value] }))}
        />
        <RadioField<Theme>
          label={t('app.theme')}
          hint={t('ops.account.themeHint')}
          value={theme}
          onChange={applyTheme}
          options={themes.map((value) => ({ value, label: t(`app.theme.${value}`) }))}
        />
      </div>
    </Card>
  );
}
