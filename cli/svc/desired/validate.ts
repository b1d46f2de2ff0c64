import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Command } from 'commander'
import {
  DIAGNOSTIC_FORMATS,
  renderDiagnostics,
  type DiagnosticFormat,
} from '../../../controller/rendering/diagnostics/index.ts'
import { readManifests, type SentFile } from '../../../controller/reading/manifest.ts'
import type { FileFault } from '../../../controller/reading/yaml/text-decoding.ts'
import { SOURCE_FILE } from '../../../controller/reading/rules/source-file.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { exitCode } from '../../exit-codes.ts'
import { misuse } from '../../failure.ts'
import { findManifests, manifestInput, readBounded, type FoundFiles } from '../../manifests/files.ts'
import { formatOf, withExamples, withExitCodes, withOutput, type ExitOption, type OutputOption } from '../../options.ts'
import { fitted, print } from '../../output/print.ts'
import { colourOn, config } from '../../settings.ts'
import { READS, STDIN } from '../../standard-input.ts'

interface ValidateOptions extends OutputOption, ExitOption {
  strict?: boolean
  env?: boolean
}

export function define(command: Command): void {
  command
    .argument('<path...>', `Files or folders, with their references; ${READS}`)
    .option('--strict', 'Treat warnings as errors')
    .option('--env', 'Treat an unset ${VAR} as an error, as the daemon does (default: a warning)')
  withExamples(
    withExitCodes(withOutput(command, DIAGNOSTIC_FORMATS)),
    'svc validate manifests',
    'svc validate manifests -o sarif > findings.sarif',
  ).action(validate)
}

interface NamedFile {
  absolute: string
  /** Path as the user would type it. */
  typed: string
  /** Folder of an `svc.yaml` that is checked separately, because it is below the common folder. */
  aloneIn: string | null
  /** Null if unreadable. */
  content: Uint8Array | null
}

async function validate(paths: string[], options: ValidateOptions): Promise<void> {
  if (paths.length > 1 && paths.includes(STDIN))
    throw misuse('- and files are mutually exclusive', 'check standard input with: svc validate -')
  const input = paths[0] === STDIN ? await manifestInput() : null
  const found = await Promise.all(
    paths.map(async (path) => ({ path, ...(input ? asFile(input) : await findManifests(path)) })),
  )
  const top = commonFolder(found.map(({ root }) => root))
  const byPath = new Map<string, NamedFile>()
  for (const { path, root, files: each } of found)
    for (const absolute of each) {
      const isAlone = basename(absolute) === SOURCE_FILE && dirname(absolute) === root && root !== top
      byPath.set(absolute, {
        absolute,
        typed: input ? input.path : typedName(path, absolute),
        aloneIn: isAlone ? root : null,
        content: input ? Buffer.from(input.content) : null,
      })
    }
  const files = [...byPath.values()]
  const diagnostics: Diagnostic[] = []
  const faults = new Map(found.flatMap((each) => [...each.faults]))
  for (const file of files) {
    const fault = faults.get(file.absolute)
    if (fault) diagnostics.push(faultOf(file.typed, fault))
    else if (!input)
      file.content = await readBounded(file.absolute).catch((error: NodeJS.ErrnoException) => {
        diagnostics.push(unreadable(file.typed, error))
        return null
      })
  }
  const [alone, together] = [
    files.filter(({ aloneIn, content }) => aloneIn && content),
    files.filter(({ aloneIn }) => !aloneIn),
  ]
  diagnostics.push(...faultsOf(together, top, options))
  for (const file of alone) diagnostics.push(...faultsOf([file], file.aloneIn!, options))
  report(diagnostics, files, options)
}

/** Standard input is a file of the current folder. */
const asFile = ({ path }: { path: string }): FoundFiles => ({
  files: [resolve(path)],
  root: process.cwd(),
  faults: new Map(),
})

function faultsOf(files: readonly NamedFile[], root: string, options: ValidateOptions): Diagnostic[] {
  const below = (file: NamedFile) => relative(root, file.absolute).split(sep).join('/')
  const sent = files.flatMap((file): SentFile[] => (file.content ? [{ path: below(file), content: file.content }] : []))
  const typed = new Map(files.map((file) => [below(file), file.typed]))
  const context = { exists: () => false, variable: (name: string) => config().env[name] }
  const { diagnostics } = readManifests(sent, {
    root,
    kinds,
    home: config().home,
    strict: options.strict ?? false,
    context,
  })
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    ...(isElsewhere(diagnostic, options) ? { severity: 'warning' as const } : {}),
    file: typed.get(diagnostic.file) ?? diagnostic.file,
  }))
}

/** Secrets exist where the daemon runs, not necessarily in CI. */
const isElsewhere = ({ code }: Diagnostic, { env, strict }: ValidateOptions): boolean =>
  code === 'variable-unset' && !env && !strict

function report(diagnostics: Diagnostic[], files: readonly NamedFile[], options: ValidateOptions): void {
  const byName = new Map(files.map(({ typed, content }) => [typed, content]))
  const sources = (name: string) => {
    const content = byName.get(name)
    return content ? Buffer.from(content).toString('utf8') : null
  }
  const format = formatOf<DiagnosticFormat>(options)
  const text = renderDiagnostics(diagnostics, format, { colour: colourOn(process.stdout), sources })
  print(format === 'human' ? fitted(text) : text)
  process.exitCode = exitCode(
    diagnostics.some((diagnostic) => diagnostic.severity === 'error') ? 'invalid' : 'ok',
    options.exitCodes,
  )
}

function unreadable(file: string, error: NodeJS.ErrnoException): Diagnostic {
  const why =
    error.code === 'ENOENT'
      ? 'it does not exist, or is a broken link'
      : error.code === 'EACCES'
        ? 'permission denied'
        : error.message
  return faultOf(file, {
    code: 'file-unreadable',
    message: `cannot read the file: ${why}`,
    hint: 'make it readable, or move it out of the folder',
  })
}

function faultOf(file: string, { code, message, hint }: FileFault): Diagnostic {
  return { severity: 'error', code, message, hint, file, line: 1, column: 1, kind: null, name: null }
}

function typedName(typed: string, absolute: string): string {
  return resolve(typed) === absolute ? typed : join(typed, relative(resolve(typed), absolute))
}

function commonFolder(folders: string[]): string {
  let common = folders[0]!
  while (!folders.every((folder) => folder === common || folder.startsWith(common === sep ? sep : common + sep)))
    common = dirname(common)
  return common
}
