import { type Locale, locales } from '@causeway/contract/locale.ts';
import { changeLanguage } from '../lib/language.ts';
import { localeNames, localeTag, useLocale, useText } from '../lib/locale.tsx';
import type { MenuPopupProps } from '../ui/deferred-menu.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';

const options = locales.map((value) => ({ value, label: localeNames[value], lang: localeTag(value) }));

/** The three languages; a change is sent to the server first (decisions, "Languages"). */
export function Popup({ trigger, defaultOpen }: MenuPopupProps) {
  const t = useText();
  const locale = useLocale();
  return (
    <Menu trigger={trigger} defaultOpen={defaultOpen}>
      <MenuChoice<Locale>
        label={t('ui.language')}
        value={locale}
        options={options}
        onChange={(next) => void changeLanguage(next)}
      />
    </Menu>
  );
}
