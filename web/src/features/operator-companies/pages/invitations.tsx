import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { StandingDialog } from '../../operator/index.ts';
import { useInviting } from '../components/use-inviting.tsx';
import { invitationList } from '../lists/invitation-list.tsx';

/** Codes for companies that are to come, and what became of them. */
export function Page() {
  const t = useText();
  const read = useList(invitationList);
  const { open, dialog } = useInviting();
  return (
    <Frame intro={t('ops.companies.invitationsIntro')}>
      <ListView list={invitationList} read={read} onAdd={open} />
      {dialog}
      <StandingDialog />
    </Frame>
  );
}
