import { useText } from '../lib/locale.tsx';
import { applyTheme, type Theme, useTheme } from '../lib/theme.ts';
import { MenuChoice } from '../ui/menu.tsx';

/** Light, dark, or as the machine has it; a part of the menu of one's own account. */
export function ThemeChoice() {
  const t = useText();
  const theme = useTheme();
  return (
    <MenuChoice<Theme>
      label={t('app.theme')}
      value={theme}
      onChange={applyTheme}
      options={[
        { value: 'system', label: t('app.theme.system') },
        { value: 'light', label: t('app.theme.light') },
        { value: 'dark', label: t('app.theme.dark') },
      ]}
    />
  );
}
