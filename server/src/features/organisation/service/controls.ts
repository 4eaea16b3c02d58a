import type { Body } from '@causeway/contract/call.ts';
import type { ControlKind } from '@causeway/contract/control-rules.ts';
import type * as calls from '@causeway/contract/organisation.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Changing, type OrganisationPorts, operationOf } from './change.ts';
import { addingMember, editingMember } from './members.ts';
import { resettingPassword, settingLeave, settingStatus } from './membership.ts';
import { editingRole } from './roles.ts';
import type { ControlOperation } from './second-person.ts';
import { changingSettings } from './settings.ts';

type Input = ControlOperation<object>['input'];

/** Organisation's changes that may wait, by kind, made again from the input with which they were proposed. */
export function organisationControls(
  ports: OrganisationPorts & { clock: Clock },
): Partial<Record<ControlKind, (input: Input) => ControlOperation<object>>> {
  // What was proposed is what the contract had validated, as JSON.
  const from =
    <B>(changing: (body: B) => Changing<object>) =>
    (input: Input): ControlOperation<object> =>
      operationOf(ports, changing(input as B));
  return {
    addMember: from((body: Body<typeof calls.addMember> & { id: string }) => addingMember(ports, body)),
    editMember: from((body: Body<typeof calls.editMember>) => editingMember(ports, body)),
    setMemberStatus: from((body: Body<typeof calls.setMemberStatus>) => settingStatus(ports, body)),
    setMemberLeave: from((body: Body<typeof calls.setMemberLeave>) => settingLeave(body)),
    resetMemberPassword: from((body: { id: string }) => resettingPassword(ports, body)),
    editRole: from(editingRole),
    setCompanySettings: from(changingSettings),
  };
}
