// Where desired state comes from: the folder of --manifests, and the sources of a config file.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Type, { type Static } from 'typebox'
import { LineCounter, parseDocument } from 'yaml'
import type { SourceConfig } from '../controller/index.ts'
import type { Config } from '../platform/config.ts'
import { invalid, Problem } from '../platform/problem.ts'
import { ResourceName } from '../schemas/kind.ts'
import { SourceSync } from '../schemas/source.ts'
import { createAjv } from '../schemas/validation/ajv.ts'
import { fieldErrors } from '../schemas/validation/fields.ts'

const Git = Type.Object(
  {
    url: Type.String(),
    ref: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    poll_secs: Type.Optional(Type.Integer({ minimum: 1 })),
    verify: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

const ConfigFile = Type.Object(
  {
    sources: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: ResourceName,
            directory: Type.Optional(Type.String({ minLength: 1 })),
            git: Type.Optional(Git),
            sync: Type.Optional(SourceSync),
          },
          { additionalProperties: false },
        ),
      ),
    ),
  },
  { additionalProperties: false },
)
type ConfigFile = Static<typeof ConfigFile>
const isConfigFile = createAjv().compile<ConfigFile>(ConfigFile)

export interface SourceOptions {
  /** Folder of the source `default`; null for none. */
  manifests: string | null
  /** A file that must exist; else `$XDG_CONFIG_HOME/svc/config.yaml` where there is one. */
  configFile?: string
}

/** Every source with its absolute folder. Throws a Problem that names the file and what is wrong in it. */
export function readSources(options: SourceOptions, config: Pick<Config, 'home' | 'env'>): SourceConfig[] {
  const file =
    options.configFile ?? join(config.env.XDG_CONFIG_HOME || join(config.home, '.config'), 'svc', 'config.yaml')
  const configured = options.configFile !== undefined || existsSync(file) ? fileSources(resolve(file), config.home) : []
  const named =
    options.manifests === null
      ? []
      : [{ name: 'default', directory: absolute(options.manifests, process.cwd(), config.home, '--manifests') }]
  const sources = [...named, ...configured]
  const twice = sources.find((source, index) => sources.findIndex((other) => other.name === source.name) !== index)
  if (twice)
    throw invalid(
      `there are two sources named "${twice.name}": rename one in ${file}${twice.name === 'default' && named.length > 0 ? ', or leave --manifests out' : ''}`,
    )
  return sources
}

function fileSources(file: string, home: string): SourceConfig[] {
  return (parseConfigFile(file).sources ?? []).map((source, index) => {
    const where = `${file}: sources.${index} (${source.name})`
    if (source.git) throw notYet(where)
    if (source.directory === undefined) throw invalid(`${where} has no directory: add directory: <folder of manifests>`)
    return {
      name: source.name,
      directory: absolute(source.directory, dirname(file), home, where),
      ...(source.sync ? { sync: source.sync } : {}),
    }
  })
}

function parseConfigFile(file: string): ConfigFile {
  const lines = new LineCounter()
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false })
  const [fault] = document.errors
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0])
    throw invalid(`${file}:${line}:${col}: ${fault.message}`)
  }
  const content: unknown = document.toJS() ?? {}
  if (isConfigFile(content)) return content
  const errors = fieldErrors(isConfigFile.errors!, 'the file')
  throw invalid(errors.map((error) => `${file}: ${error.path || 'the file'} ${error.message}`).join('; '), errors)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem(400, `the config file ${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function absolute(written: string, folder: string, home: string, where: string): string {
  if (/^(git\+|git@|https?:\/\/|ssh:\/\/)/.test(written)) throw notYet(`${where} ${written}`)
  return written === '~' || written.startsWith('~/') ? resolve(home, `.${written.slice(1)}`) : resolve(folder, written)
}

function notYet(where: string): Problem {
  return invalid(`${where}: git sources are not available yet; name a folder (a git working tree will do)`)
}
