import * as calls from '@causeway/contract/organisation.ts';
import { type Http, route } from '../../platform/http.ts';
import { listChoices, menuGroups } from './service/choices.ts';
import type { OrganisationDeps } from './service/core.ts';
import * as departments from './service/departments.ts';
import * as members from './service/members.ts';
import * as membership from './service/membership.ts';
import * as roles from './service/roles.ts';
import { readSettings, saveSettings } from './service/settings.ts';

export function registerOrganisationRoutes(http: Http, deps: OrganisationDeps): void {
  route(http, calls.listMembers, ({ query }, context) => members.list(deps, query, context));
  route(http, calls.addMember, ({ body }, context) => members.add(deps, body, context));
  route(http, calls.editMember, ({ body }, context) => members.edit(deps, body, context));
  route(http, calls.deleteMember, ({ body }, context) => membership.remove(deps, body.id, context));
  route(http, calls.setMemberStatus, ({ body }, context) => membership.setStatus(deps, body, context));
  route(http, calls.setMemberLeave, ({ body }, context) => membership.setLeave(deps, body, context));
  route(http, calls.resetMemberPassword, ({ body }, context) => membership.resetPassword(deps, body.id, context));
  route(http, calls.sendActivation, ({ body }, context) => membership.sendActivation(deps, body.id, context));
  route(http, calls.getMemberImpact, ({ query }, context) => membership.describeImpact(deps, query.id, context));
  route(http, calls.listPeople, (_, context) => listChoices(deps, context));

  route(http, calls.listDepartments, ({ query }, context) => departments.list(deps, query, context));
  route(http, calls.addDepartment, ({ body }, context) => departments.add(deps, body, context));
  route(http, calls.editDepartment, ({ body }, context) => departments.edit(deps, body, context));
  route(http, calls.deleteDepartment, ({ params }, context) => departments.remove(deps, params.id, context));
  route(http, calls.addDepartmentMembers, ({ body }, context) => departments.addMembers(deps, body, context));
  route(http, calls.removeDepartmentMembers, ({ body }, context) => departments.removeMembers(deps, body, context));

  route(http, calls.listRoles, ({ query }, context) => roles.list(deps, query, context));
  route(http, calls.addRole, ({ body }, context) => roles.add(deps, body, context));
  route(http, calls.editRole, ({ body }, context) => roles.edit(deps, body, context));
  route(http, calls.deleteRole, ({ body }, context) => roles.remove(deps, body.id, context));
  route(http, calls.copyRole, ({ body }, context) => roles.copy(deps, body, context));
  route(http, calls.getRoleMenus, ({ query }, context) => roles.permissionsOfRole(deps, query.id, context));
  route(http, calls.getMenuGroups, async (_, context) => menuGroups(context));

  route(http, calls.getCompanySettings, (_, context) => readSettings(deps, context));
  route(http, calls.setCompanySettings, ({ body }, context) => saveSettings(deps, body, context));
}
