import type { OperationGroup } from '../schemas/operations/operation.ts'

/** Path of the file, from the root. */
export const TABLE: string
export function operationTable(groups: readonly OperationGroup[]): string
