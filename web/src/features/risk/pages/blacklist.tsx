import { Outlet } from '@tanstack/react-router';
import { EntryList } from '../components/entry-list.tsx';
import { RiskFrame } from '../components/risk-frame.tsx';

/** Accounts that no money may go to. */
export function Page() {
  return (
    <RiskFrame tab="blacklist">
      <EntryList kind="black" />
      <Outlet />
    </RiskFrame>
  );
}
