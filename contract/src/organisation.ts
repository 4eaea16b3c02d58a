import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { readMobile } from './calling-codes.ts';
import { effect, effectOnly } from './effect.ts';
import { frozen } from './freeze.ts';
import { email } from './identity.ts';
import { id, instant, page, pageQuery, text } from './ids.ts';
import { languages } from './locale.ts';
import { name, optionalName } from './names.ts';
import { chosenId, roleRef } from './organisation-parts.ts';
import { departmentNameMaxLength, memberSorts, memberStatuses } from './organisation-rules.ts';
import { isPersonName, personNameMaxLength } from './person-names.ts';

export * from './organisation-roles.ts';
export * from './organisation-rules.ts';

const isName = z.refine<string>((value) => value === '' || isPersonName(value), { error: 'field.personName' });
const mobileCountryCode = text(8).check(
  z.minLength(1, 'field.required'),
  z.refine((code) => readMobile(code, '0') !== 'countryCode', { error: 'field.callingCode' }),
);
/** Checked together with its country code. */
const mobile = text(32).check(z.trim(), z.minLength(1, 'field.required'));

/** What the member form holds (decisions, "Members, roles and departments"). */
const memberForm = {
  firstName: name(personNameMaxLength).check(isName),
  /** May be empty: not everybody has two names. */
  lastName: optionalName(personNameMaxLength).check(isName),
  roleId: chosenId,
  departmentId: chosenId,
  mobileCountryCode,
  mobile,
  email,
};
const mobileFits = z.refine<{ mobileCountryCode: string; mobile: string }>(
  (form) => readMobile(form.mobileCountryCode, form.mobile) !== 'number',
  { error: 'field.mobile', path: ['mobile'] },
);

const memberIds = z.array(id).check(z.minLength(1, 'field.required'), z.maxLength(100, 'field.tooLong'));
const departmentRef = z.object({ id, name: z.string() });

export const member = z.object({
  id,
  identifierId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** First and last name, or the email when there is neither. */
  name: z.string(),
  email: z.string(),
  /** Digits without the plus sign; null for who signed the company up and has given none. */
  mobileCountryCode: z.nullable(z.string()),
  mobile: z.nullable(z.string()),
  role: roleRef,
  department: z.nullable(departmentRef),
  status: z.enum(memberStatuses),
  onLeave: z.boolean(),
  deputy: z.nullable(z.object({ id, name: z.string() })),
  language: z.enum(languages),
  createdAt: instant,
  lastLoginAt: z.nullable(instant),
  /** Of the newest activation mail, while invited: until when its link holds. */
  activationExpiresAt: z.nullable(instant),
  /** The reader. */
  self: z.boolean(),
  /** The last active administrator: cannot be demoted, disabled or deleted. */
  lastAdministrator: z.boolean(),
  /** By the operator: disabled, and not the company's to enable. */
  frozen: z.nullable(frozen),
});
export type Member = z.output<typeof member>;

/** A member after a change, or as they will be once it takes effect. */
const changedMember = z.extend(member, effect);
const heldErrors = ['approvalRulesHeld'] as const;

const memberErrors = ['memberNotFound', 'authorityExceeded'] as const;

export const listMembers = call({
  name: 'listMembers',
  method: 'GET',
  path: '/web/rbac/members',
  summary: 'Members with role, department, status and last sign-in; searched by name, email or mobile.',
  access: 'member.manage',
  query: z.strictObject({
    ...pageQuery,
    /** This member alone: for the page that a link to a member opens. */
    id: z.optional(id),
    keyword: z.optional(text(128)),
    status: z.optional(z.enum(memberStatuses)),
    roleId: z.optional(id),
    departmentId: z.optional(id),
    /** `true`: only those without a department. */
    unassigned: z.optional(z.enum(['true', 'false'])),
    sort: z.optional(z.enum(memberSorts)),
    order: z.optional(z.enum(['asc', 'desc'])),
  }),
  output: page(member),
  errors: ['cursorInvalid'],
});

export const addMember = call({
  name: 'addMember',
  method: 'POST',
  path: '/web/rbac/members',
  summary: 'Adds a member and mails a one-time link, valid for 72 hours, to set the password.',
  access: 'member.manage',
  body: z
    .strictObject({ id: z.optional(id), ...memberForm, language: z.optional(z.enum(languages)) })
    .check(mobileFits),
  output: changedMember,
  errors: [
    ...heldErrors,
    'memberEmailTaken',
    'nameAlike',
    'roleNotFound',
    'roleInactive',
    'departmentNotFound',
    'authorityExceeded',
    'idTaken',
  ],
});

export const editMember = call({
  name: 'editMember',
  method: 'PUT',
  path: '/web/rbac/members',
  summary: 'Changes a member; the email only until the member has set a password.',
  access: 'member.manage',
  body: z.strictObject({ id: chosenId, ...memberForm }).check(mobileFits),
  output: changedMember,
  errors: [
    ...heldErrors,
    ...memberErrors,
    'memberEmailTaken',
    'memberEmailFixed',
    'nameAlike',
    'memberIsSelf',
    'lastAdministrator',
    'roleNotFound',
    'roleInactive',
    'departmentNotFound',
  ],
});

export const deleteMember = call({
  name: 'deleteMember',
  method: 'DELETE',
  path: '/web/rbac/members',
  summary: 'Takes a member out of the company, ends all access and frees the email; what they did stays.',
  access: 'member.manage',
  body: z.strictObject({ id: chosenId }),
  output: nothing,
  errors: [...memberErrors, 'memberIsSelf', 'lastAdministrator'],
});

export const setMemberStatus = call({
  name: 'setMemberStatus',
  method: 'PUT',
  path: '/web/rbac/members/status',
  summary: 'Disables a member, which ends all access at once, or enables one again.',
  access: 'member.manage',
  body: z.strictObject({ id: chosenId, enabled: z.boolean() }),
  output: changedMember,
  errors: [...heldErrors, ...memberErrors, 'memberFrozen', 'memberIsSelf', 'lastAdministrator'],
});

export const setMemberLeave = call({
  name: 'setMemberLeave',
  method: 'PUT',
  path: '/web/rbac/members/leave',
  summary: 'Marks a member as on leave, with a deputy or without, or as back.',
  access: 'member.manage',
  body: z.strictObject({ id: chosenId, onLeave: z.boolean(), deputyId: z.optional(z.nullable(id)) }),
  output: changedMember,
  errors: [...heldErrors, ...memberErrors, 'deputyUnsuitable'],
});

export const resetMemberPassword = call({
  name: 'resetMemberPassword',
  method: 'PUT',
  path: '/web/rbac/members/password',
  summary: 'Mails the member a one-time link to set a new password, and ends every session.',
  access: 'member.manage',
  body: z.strictObject({ id: chosenId }),
  output: effectOnly,
  errors: [...heldErrors, ...memberErrors, 'memberNotActive'],
});

export const sendActivation = call({
  name: 'sendActivation',
  method: 'POST',
  path: '/web/rbac/members/activation',
  summary: 'Mails the activation link again; the one before it no longer holds.',
  access: 'member.manage',
  body: z.strictObject({ id: chosenId }),
  output: member,
  errors: [...memberErrors, 'memberActivated', 'memberNotActive'],
});

export const getMemberImpact = call({
  name: 'getMemberImpact',
  method: 'GET',
  path: '/web/rbac/members/impact',
  summary: 'What disabling, deleting or demoting a member would touch.',
  access: 'member.manage',
  query: z.strictObject({ id: chosenId }),
  output: z.object({
    /** Approvals that wait for this member's decision. */
    pendingDecisions: z.number(),
    /** What this member started and others are still to decide. */
    pendingOwn: z.number(),
    /** Members on leave who named this one as deputy. */
    deputyFor: z.number(),
    /** Approval rules and risk policies that name this member. */
    rules: z.number(),
    policies: z.number(),
    lastAdministrator: z.boolean(),
    self: z.boolean(),
  }),
  errors: ['memberNotFound'],
});

export const listPeople = call({
  name: 'listPeople',
  method: 'GET',
  path: '/web/rbac/people',
  summary: 'Who and what can be chosen in forms: people, roles and departments by name.',
  access: 'signed-in',
  output: z.object({
    people: z.array(
      z.object({
        id,
        name: z.string(),
        roleId: id,
        roleName: z.string(),
        status: z.enum(memberStatuses),
        onLeave: z.boolean(),
      }),
    ),
    roles: z.array(roleRef),
    departments: z.array(z.extend(departmentRef, { parentId: z.nullable(id) })),
  }),
  errors: [],
});

const departmentPerson = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role: roleRef,
  status: z.enum(memberStatuses),
  onLeave: z.boolean(),
});

export const department = z.object({
  id,
  name: z.string(),
  /** Null at the top. */
  parentId: z.nullable(id),
  /** Among its siblings, from 0. */
  position: z.number(),
  /** Its own members, and with those of all departments under it. */
  memberCount: z.number(),
  totalCount: z.number(),
  members: z.array(departmentPerson),
});
export type Department = z.output<typeof department>;

export const listDepartments = call({
  name: 'listDepartments',
  method: 'GET',
  path: '/web/rbac/departments',
  summary: 'The tree of departments, each before what is under it, with members; and how many have no department.',
  access: 'department.manage',
  query: z.strictObject({ keyword: z.optional(text(128)) }),
  output: z.object({ items: z.array(department), unassigned: z.array(departmentPerson) }),
  errors: [],
});

export const addDepartment = call({
  name: 'addDepartment',
  method: 'POST',
  path: '/web/rbac/departments',
  summary: 'Makes a department, the last under its parent; at most eight levels deep.',
  access: 'department.manage',
  body: z.strictObject({ id: z.optional(id), name: name(departmentNameMaxLength), parentId: z.nullable(id) }),
  output: department,
  errors: ['departmentNotFound', 'departmentExists', 'departmentTooDeep', 'idTaken'],
});

export const editDepartment = call({
  name: 'editDepartment',
  method: 'PUT',
  path: '/web/rbac/departments',
  summary: 'Renames a department, or moves it with all that is under it.',
  access: 'department.manage',
  body: z.strictObject({
    id: chosenId,
    name: name(departmentNameMaxLength),
    parentId: z.nullable(id),
    /** Among its siblings, from 0; past the end is the end. Left out: where it is, or last under a new parent. */
    position: z.optional(z.int('field.invalid').check(z.minimum(0, 'field.invalid'))),
  }),
  output: department,
  errors: ['departmentNotFound', 'departmentExists', 'departmentTooDeep', 'departmentCycle'],
});

export const deleteDepartment = call({
  name: 'deleteDepartment',
  method: 'DELETE',
  path: '/web/rbac/departments/{id}',
  summary: 'Deletes a department that has neither members nor departments under it, and that no rule or policy names.',
  access: 'department.manage',
  params: z.object({ id }),
  output: nothing,
  errors: ['departmentNotFound', 'departmentInUse', 'departmentNamed', 'cardRuleNames'],
});

export const addDepartmentMembers = call({
  name: 'addDepartmentMembers',
  method: 'POST',
  path: '/web/rbac/departments/members',
  summary: 'Puts members without a department into this one.',
  access: 'department.manage',
  body: z.strictObject({ departmentId: chosenId, memberIds }),
  output: nothing,
  errors: ['departmentNotFound', 'memberNotFound', 'memberHasDepartment'],
});

export const removeDepartmentMembers = call({
  name: 'removeDepartmentMembers',
  method: 'DELETE',
  path: '/web/rbac/departments/members',
  summary: 'Takes members out of a department; they stay members of the company.',
  access: 'department.manage',
  body: z.strictObject({ departmentId: chosenId, memberIds }),
  output: nothing,
  errors: ['departmentNotFound', 'memberNotFound'],
});
