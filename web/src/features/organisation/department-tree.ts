import type { TreeNode } from '../../ui/tree-moves.ts';
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
