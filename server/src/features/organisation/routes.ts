import * as calls from '@causeway/contract/organisation.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { OrganisationPorts } from './service/change.ts';
import { listChoices, menuGroups } from './service/choices.ts';
import * as departments from './service/departments.ts';
import * as members from './service/members.ts';
import * as membership from './service/membership.ts';
import * as roles from './service/roles.ts';
import { getSettings, saveSettings } from './service/settings.ts';

export function registerOrganisationRoutes(given: Http, ports: OrganisationPorts): void {
  const http = withPorts(given, ports);
  route.read(http, calls.listMembers, members.list);
  route.open(http, calls.addMember, 'counted tries', members.add);
  route.open(http, calls.editMember, 'counted tries', members.edit);
  route.write(http, calls.deleteMember, membership.remove);
  route.write(http, calls.setMemberStatus, membership.setStatus);
  route.write(http, calls.setMemberLeave, membership.setLeave);
  route.write(http, calls.resetMemberPassword, membership.resetPassword);
  route.write(http, calls.sendActivation, membership.sendActivation);
  route.read(http, calls.getMemberImpact, membership.describeImpact);
  route.read(http, calls.listPeople, listChoices);

  route.read(http, calls.listDepartments, departments.list);
  route.write(http, calls.addDepartment, departments.add);
  route.write(http, calls.editDepartment, departments.edit);
  route.write(http, calls.deleteDepartment, departments.remove);
  route.write(http, calls.addDepartmentMembers, departments.addMembers);
  route.write(http, calls.removeDepartmentMembers, departments.removeMembers);

  route.read(http, calls.listRoles, roles.list);
  route.write(http, calls.addRole, roles.add);
  route.write(http, calls.editRole, roles.edit);
  route.write(http, calls.deleteRole, roles.remove);
  route.write(http, calls.copyRole, roles.copy);
  route.read(http, calls.getRoleMenus, roles.permissionsOfRole);
  route.open(http, calls.getMenuGroups, 'no data', menuGroups);

  route.read(http, calls.getCompanySettings, getSettings);
  route.write(http, calls.setCompanySettings, saveSettings);
}
