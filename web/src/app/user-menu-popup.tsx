import { Link, useRouter } from '@tanstack/react-router';
import { useHiddenFirstSteps } from '../features/home/index.ts';
import { useText } from '../lib/locale.tsx';
import { signOut, useUser } from '../lib/user.ts';
import { ThemeChoice } from '../shell/theme-choice.tsx';
import { copyText } from '../ui/copy-button.tsx';
import type { MenuPopupProps } from '../ui/deferred-menu.tsx';
import { Menu, MenuItem, MenuLine, MenuNote } from '../ui/menu.tsx';

/** Who is signed in, with the role and the company; the account, security, appearance and the way out. */
export function Popup({ trigger, defaultOpen }: MenuPopupProps) {
  const t = useText();
  const user = useUser();
  const person = user && [user.firstName, user.lastName].filter(Boolean).join(' ');
  return (
    <Menu trigger={trigger} defaultOpen={defaultOpen}>
      {user && (
        <MenuNote>
          <div className="max-w-72 truncate font-medium">{person || user.email}</div>
          {person && <div className="max-w-72 truncate text-12 text-faint">{user.email}</div>}
          <div className="max-w-72 truncate text-12 text-faint">
            {user.role} · {user.companyName}
          </div>
        </MenuNote>
      )}
      {user && (
        <MenuItem icon="copy" stay onSelect={() => void copyText(user.identifierId)}>
          <span className="sr-only">{t('ui.copyWhat', { what: t('app.user.identifier') })}</span>
          <span aria-hidden="true" className="text-muted">
            {t('app.user.identifier')}
          </span>
          <span className="ml-auto pl-4 font-mono text-13">{user.identifierId}</span>
        </MenuItem>
      )}
      {user && <MenuLine />}
      <MenuItem icon="shield" render={<Link to="/app/account" />}>
        {t('app.user.security')}
      </MenuItem>
      <FirstStepsAgain />
      <MenuLine />
      <ThemeChoice />
      <MenuLine />
      <MenuItem icon="signOut" onSelect={() => void signOut()}>
        {t('app.user.signOut')}
      </MenuItem>
    </Menu>
  );
}

/** Back to Home with the first steps that the reader had hidden; asked for only while the menu is open. */
function FirstStepsAgain() {
  const t = useText();
  const router = useRouter();
  const { isHidden, show } = useHiddenFirstSteps(() => void router.navigate({ to: '/app/home' }));
  if (!isHidden) return null;
  return (
    <MenuItem icon="list" onSelect={show}>
      {t('app.user.firstSteps')}
    </MenuItem>
  );
}
