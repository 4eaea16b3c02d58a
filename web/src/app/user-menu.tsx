import { useUser } from '../lib/user.ts';
import { UserMenuButton } from '../shell/user-menu-button.tsx';

const load = () => import('./user-menu-popup.tsx');

/** Who is signed in, by the legal name or the email; opens the account's menu. */
export function UserMenu() {
  const user = useUser();
  return <UserMenuButton load={load} name={user && (user.legalName || user.email)} />;
}
