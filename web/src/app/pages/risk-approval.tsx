import { ApprovalSettings } from '../../features/approvals/index.ts';
import { Page as Frame } from '../../ui/page.tsx';

/** Approval settings at /app/risk-setting. */
export function Page() {
  return (
    <Frame>
      <ApprovalSettings />
    </Frame>
  );
}
