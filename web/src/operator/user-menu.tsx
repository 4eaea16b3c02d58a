import { useMe } from '../features/operator/index.ts';
import { UserMenuButton } from '../shell/user-menu-button.tsx';

const load = () => import('./user-menu-popup.tsx');

/** Who is signed in; opens the account's menu. */
export function UserMenu() {
  return <UserMenuButton load={load} name={useMe()?.name} />;
}
