import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as Type from 'typebox'
import { usualConfigFile, type Config } from '../../../platform/core/config.ts'
import { invalid, Problem } from '../../../platform/core/problem.ts'
import { DocumentsConfig } from '../../../schemas/docstore/document.ts'
import { ResourceName, type Path } from '../../../schemas/kind.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { sandboxFaults } from '../../../schemas/sandbox/faults.ts'
import { placedSandbox } from '../../../schemas/sandbox/inheritance.ts'
import { canonicalSandbox, Sandbox, type SandboxSpec } from '../../../schemas/sandbox/sandbox.ts'
import { NotifyConfig } from '../../../schemas/notify/sinks.ts'
import { GitSource, SourceSync } from '../../../schemas/source.ts'
import { createAjv } from '../../../schemas/validation/ajv.ts'
import { fieldErrors } from '../../../schemas/validation/fields.ts'
import { parseYaml } from '../yaml/parse.ts'
import { Lines, Locator, type PlacedText } from '../yaml/positions.ts'
import { decode } from '../yaml/text-decoding.ts'
import { sourceSyncFaults } from './sync-faults.ts'

const ConfigFile = Type.Object(
  {
    sources: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: ResourceName,
            directory: Type.Optional(Type.String({ minLength: 1 })),
            git: Type.Optional(GitSource),
            sync: Type.Optional(SourceSync),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    notify: Type.Optional(NotifyConfig),
    documents: Type.Optional(DocumentsConfig),
    default_sandbox: Type.Optional(Sandbox),
  },
  { additionalProperties: false },
)
export type ConfigFile = Type.Static<typeof ConfigFile>
const isConfigFile = createAjv().compile<ConfigFile>(ConfigFile)

interface Parsed {
  content: ConfigFile
  /** Line from 1 of the name of a field, or of an item of a list; null if the file does not set it. */
  lineOf(path: Path): number | null
}

/** Empty if the default file does not exist. Throws a Problem like `readSources`. */
export function readConfigFile(
  { configFile }: { configFile?: string | undefined },
  config: Pick<Config, 'home' | 'env'>,
): Parsed & { file: string } {
  const file = resolve(configFile ?? usualConfigFile(config))
  const isRead = configFile !== undefined || existsSync(file)
  return { file, ...(isRead ? parseConfigFile(file) : { content: {}, lineOf: () => null }) }
}

export function configuredSync(
  source: string,
  options: { configFile?: string | undefined },
  config: Pick<Config, 'home' | 'env'>,
): SourceSync | undefined {
  return readConfigFile(options, config).content.sources?.find(({ name }) => name === source)?.sync
}

/** Sandbox of agents that set none. Relative paths start at the folder of the file. */
export function configuredSandbox(
  options: { configFile?: string | undefined },
  config: Pick<Config, 'home' | 'env'>,
): SandboxSpec {
  const { file, content } = readConfigFile(options, config)
  const [directory, project] = [dirname(file), dirname(file)]
  return canonicalSandbox(placedSandbox(content.default_sandbox, { directory, project, home: config.home }))
}

function parseConfigFile(file: string): Parsed {
  const decoded = decode(readBytes(file))
  if ('fault' in decoded) {
    const { message, hint, at } = decoded.fault
    throw invalid(`${file}${at ? `:${at.line}:${at.column}` : ''}: ${message}; ${hint}`)
  }
  const { documents, faults } = parseYaml(decoded.text)
  const written = documents.filter(({ value, faults: own }) => value !== undefined || own.length > 0)
  const [fault] = [...faults, ...written.flatMap((document) => document.faults)]
  if (fault) throw invalid(`${file}:${placeIn(decoded.text, fault.offset)}: ${fault.message}; ${fault.hint}`)
  if (written.length > 1)
    throw invalid(`${file}:${placeIn(decoded.text, written[1]!.from)}: the file must contain one document; keep one`)
  const content: unknown = written[0]?.value ?? {}
  if (isConfigFile(content))
    return { content: withSoundRules(content, file), lineOf: linesOf(content, { text: decoded.text, ...written[0]! }) }
  const errors = fieldErrors(isConfigFile.errors!, 'the file')
  throw invalid(errors.map((error) => `${file}: ${error.path || 'the file'} ${error.message}`).join('; '), errors)
}

function linesOf(content: unknown, written: PlacedText): Parsed['lineOf'] {
  const locator = new Locator()
  const isSet = (path: Path) => {
    let value = content
    for (const name of path) value = (value as Record<string | number, unknown> | undefined)?.[name]
    return value !== undefined
  }
  return (path) => (isSet(path) ? locator.at(written, path, 'key').line : null)
}

function placeIn(text: string, offset: number): string {
  const { line, column } = new Lines(text).at(offset)
  return `${line}:${column}`
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Problem(400, `the config file ${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** Throws a Problem with every error beyond the schema. */
function withSoundRules(content: ConfigFile, file: string): ConfigFile {
  const ofSources = (content.sources ?? []).flatMap(({ sync }, at) =>
    sourceSyncFaults(sync, kinds).map((fault) => ({ ...fault, path: ['sources', at, ...fault.path] })),
  )
  const all = [...ofSources, ...sandboxFaults(content.default_sandbox, ['default_sandbox'])]
  const faults = all.map(({ path, code, message, hint }) => ({
    path: path.join('.'),
    code,
    message: `${message}; ${hint}`,
  }))
  if (faults.length === 0) return content
  throw invalid(faults.map(({ path, message }) => `${file}: ${path}: ${message}`).join('; '), faults)
}
