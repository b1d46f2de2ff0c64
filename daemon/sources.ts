import { dirname, resolve } from 'node:path'
import type { SourceConfig } from '../controller/index.ts'
import { readConfigFile, type ConfigFile } from '../controller/reading/rules/config-file.ts'
import type { Config } from '../platform/core/config.ts'
import { isGitAddress } from '../platform/git/address.ts'
import { fileAddress, isBareRepository } from '../platform/git/bare-repository.ts'
import { invalid } from '../platform/core/problem.ts'
import type { DocumentsConfig } from '../schemas/docstore/document.ts'
import { readGitSource } from './git-source.ts'

export interface SourceOptions {
  /** Folder of the source `default`; null for none. */
  manifests: string | null
  /** Must exist if given; default `$XDG_CONFIG_HOME/svc/config.yaml` if it exists. */
  configFile?: string
}

/** Paths are absolute. Throws a Problem that names the file. */
export function readSources(options: SourceOptions, config: Pick<Config, 'home' | 'env'>): SourceConfig[] {
  const { file, content } = readConfigFile(options, config)
  const configured = fileSources(file, content, config)
  const named = options.manifests === null ? [] : [defaultSource(options.manifests, config)]
  const sources = [...named, ...configured]
  const twice = sources.find((source, index) => sources.findIndex((other) => other.name === source.name) !== index)
  if (twice)
    throw invalid(
      `there are two sources named "${twice.name}": rename one in ${file}${twice.name === 'default' && named.length > 0 ? ', or omit --manifests' : ''}`,
    )
  return sources
}

/** Relative paths start at the config file's folder. */
export function readDocuments(
  options: Pick<SourceOptions, 'configFile'>,
  config: Pick<Config, 'home' | 'env'>,
): DocumentsConfig {
  const { file, content } = readConfigFile(options, config)
  const { path, ...rest } = content.documents ?? {}
  return path === undefined ? rest : { ...rest, path: absolute(path, dirname(file), config.home) }
}

function defaultSource(manifests: string, config: Pick<Config, 'home' | 'env'>): SourceConfig {
  if (isGitAddress(manifests))
    return { name: 'default', git: readGitSource({ url: manifests }, { folder: '/', where: '--manifests', config }) }
  return { name: 'default', directory: absolute(manifests, process.cwd(), config.home) }
}

function fileSources(file: string, content: ConfigFile, config: Pick<Config, 'home' | 'env'>): SourceConfig[] {
  return (content.sources ?? []).map((source, index) => {
    const { name, directory, git, sync } = source
    const where = `${file}: sources.${index} (${name})`
    const common = { name, ...(sync ? { sync } : {}) }
    if (git && directory !== undefined) throw invalid(`${where} has both a directory and a git repository: remove one`)
    if (git) return { ...common, git: readGitSource(git, { folder: dirname(file), where, config }) }
    if (directory === undefined)
      throw invalid(`${where} has no directory: add directory: <folder of manifests>, or git: { url: <address> }`)
    if (isGitAddress(directory))
      throw invalid(
        `${where}: a directory is a folder of this machine: write git: { url: ADDRESS } for a remote repository, without a password in it`,
      )
    const folder = absolute(directory, dirname(file), config.home)
    if (isBareRepository(folder))
      throw invalid(
        `${where}: ${folder} is a git repository without a checkout: write git: { url: "${fileAddress(folder)}" } instead of directory`,
      )
    return { ...common, directory: folder }
  })
}

function absolute(written: string, folder: string, home: string): string {
  return written === '~' || written.startsWith('~/') ? resolve(home, `.${written.slice(1)}`) : resolve(folder, written)
}
