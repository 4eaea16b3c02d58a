import { Link } from '@tanstack/react-router';
import { signOut, useMe } from '../features/operator/index.ts';
import { useText } from '../lib/locale.tsx';
import { ThemeChoice } from '../shell/theme-choice.tsx';
import type { MenuPopupProps } from '../ui/deferred-menu.tsx';
import { Menu, MenuItem, MenuLine, MenuNote } from '../ui/menu.tsx';

/** Who is signed in, with the role; the account, appearance and the way out. */
export function Popup({ trigger, defaultOpen }: MenuPopupProps) {
  const t = useText();
  const me = useMe();
  return (
    <Menu trigger={trigger} defaultOpen={defaultOpen}>
      {me && (
        <>
          <MenuNote>
            <div className="max-w-72 truncate font-medium">{me.name}</div>
            <div className="max-w-72 truncate text-12 text-faint">{me.email}</div>
            <div className="max-w-72 truncate text-12 text-faint">{t(`ops.role.${me.role}`)}</div>
          </MenuNote>
          <MenuLine />
        </>
      )}
      <MenuItem icon="shield" render={<Link to="/app/account" />}>
        {t('ops.title.account')}
      </MenuItem>
      <MenuLine />
      <ThemeChoice />
      <MenuLine />
      <MenuItem icon="signOut" onSelect={() => void signOut()}>
        {t('app.user.signOut')}
      </MenuItem>
    </Menu>
  );
}
