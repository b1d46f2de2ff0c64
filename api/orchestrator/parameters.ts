// What the orchestrator's routes have in common: path parameters, and the checks a schema cannot make.
import { isAbsolute } from 'node:path'
import Type from 'typebox'
import { invalid } from '../../platform/problem.ts'
import type { FieldError } from '../../schemas/problem.ts'
import { policyFaults } from '../../schemas/tool-policy.ts'

export const Id = Type.Object({ id: Type.String({ format: 'uuid' }) })
export interface Id {
  id: string
}

/** Throws 400 for a policy that makes no sense; `at` is where it stands in the body. */
export function checkPolicy(policy: { mode: string; tools?: string[] } | null | undefined, at: string[] = []): void {
  if (policy)
    refuse(
      policyFaults(policy, at).map((fault) => ({
        path: fault.path.join('.'),
        message: `${fault.message}: ${fault.hint}`,
      })),
    )
}

/** Throws 400 for a directory that is not absolute: the daemon's own folder and home are not the caller's. */
export function checkDirectories(
  body: { working_dir?: string; additional_dirs?: string[] | null },
  at: string[] = [],
): void {
  const written = [
    ...(body.working_dir === undefined ? [] : [['working_dir', body.working_dir]]),
    ...(body.additional_dirs ?? []).map((directory, index) => [`additional_dirs.${index}`, directory]),
  ]
  refuse(
    written
      .filter(([, directory]) => !isAbsolute(directory!))
      .map(([path, directory]) => ({ path: [...at, path].join('.'), message: notAbsolute(directory!) })),
  )
}

export function notAbsolute(directory: string): string {
  return `should be an absolute path, instead got "${directory}": the daemon does not know your folder or home`
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalid(errors.map((error) => `${error.path} ${error.message}`).join('; '), errors)
}
