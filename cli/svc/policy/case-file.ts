// What all case files of `svc policy test` share.
import { relative, resolve, sep } from 'node:path'
import { decode } from '../../../controller/reading/yaml/text-decoding.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { Failure } from '../../failure.ts'
import { readBounded } from '../../manifests/files.ts'

export interface Tested {
  file: string
  line: number
  name: string
  expected: string
  outcome: string | null
  policies: string[]
  passed: boolean
  /** Why it failed or could not run; null if it passed. */
  error: string | null
  said: string[]
}

/** A file that has been read; `run` only without diagnostics. */
export interface CaseFile {
  diagnostics: Diagnostic[]
  /** The tool policy that it tests. */
  policy?: ToolPolicy
  run(): Promise<Tested[]>
}

export async function textOf(path: string): Promise<string> {
  const bytes = await readBounded(path).catch((error: Error) => {
    throw new Failure(`cannot read ${shown(path)}: ${error.message}`, {
      hint: 'check the path',
      exit: 'invalid',
    })
  })
  const decoded = decode(bytes)
  if ('fault' in decoded) throw new Failure(`${shown(path)}: ${decoded.fault.message}`, { exit: 'invalid' })
  return decoded.text
}

export function shown(path: string): string {
  const below = relative(process.cwd(), resolve(path))
  return below.startsWith(`..${sep}`) ? resolve(path) : below
}

export function orEmptyFile(diagnostics: Diagnostic[], file: string, member: string): Diagnostic[] {
  if (diagnostics.length > 0) return diagnostics
  const said = { code: 'empty-file', message: `${file} has no ${member}`, hint: `add them under ${member}:` }
  return [{ severity: 'error', ...said, file, line: 1, column: 1, kind: null, name: null }]
}
