import { Outlet } from '@tanstack/react-router';
import { EntryList } from '../components/entry-list.tsx';
import { OnlyWhitelisted } from '../components/only-whitelisted.tsx';
import { RiskFrame } from '../components/risk-frame.tsx';

/** Accounts that money may go to, each with its limits; and whether it may go to them alone. */
export function Page() {
  return (
    <RiskFrame tab="whitelist">
      <div className="flex flex-col gap-5">
        <OnlyWhitelisted />
        <EntryList kind="white" />
      </div>
      <Outlet />
    </RiskFrame>
  );
}
