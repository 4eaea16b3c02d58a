import { departmentMaxDepth } from '@causeway/contract/organisation-rules.ts';
import type { TreeNode } from '../../ui/tree-rows.ts';
import type { Department } from './api.ts';

/** The departments as a tree, siblings in their order; beside each how many members it has, with those under it. */
export function treeOf(departments: readonly Department[], parentId: string | null = null): TreeNode[] {
  return departments
    .filter((department) => department.parentId === parentId)
    .sort((a, b) => a.position - b.position)
    .map(({ id, name, totalCount }) => ({
      id,
      label: name,
      aside: totalCount,
      children: treeOf(departments, id),
    }));
}

/** In the order of the tree, each with the names above it: for lists to choose from. */
export function departmentOptions(departments: readonly Department[], parentId: string | null = null, above = '') {
  const options: { value: string; label: string }[] = [];
  for (const { id, label } of treeOf(departments, parentId)) {
    const path = above === '' ? label : `${above} / ${label}`;
    options.push({ value: id, label: path }, ...departmentOptions(departments, id, path));
  }
  return options;
}

/** Under which departments one can be moved: none of its own, and none so deep that what is under it would be too deep. */
export function possibleParents(departments: readonly Department[], moved: Department): Department[] {
  const heights = (id: string): number =>
    1 + Math.max(0, ...departments.filter(({ parentId }) => parentId === id).map((child) => heights(child.id)));
  const height = heights(moved.id);
  return departments.filter(({ id }) => {
    const path = ancestors(departments, id);
    return !path.includes(moved.id) && path.length + height <= departmentMaxDepth;
  });
}

/** A department and those above it. */
function ancestors(departments: readonly Department[], id: string | null): string[] {
  const department = departments.find((one) => one.id === id);
  return department ? [department.id, ...ancestors(departments, department.parentId)] : [];
}

/** The departments under a parent, in their order, among which a moved one would be placed. */
export function siblingsUnder(
  departments: readonly Department[],
  parentId: string | null,
  moved: Department,
): Department[] {
  return departments
    .filter((department) => department.parentId === parentId && department.id !== moved.id)
    .sort((a, b) => a.position - b.position);
}
