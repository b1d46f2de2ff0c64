// Downloads packages of other projects once into a cache.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.ts'
import { notMeasured } from './report.ts'

const cache = process.env.SVC_BENCH_PACKAGES ?? join(root, 'node_modules', '.cache', 'svc', 'packages')

export const succeeds = (command: string, args: string[], cwd: string): boolean =>
  spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0

export function cacheFolder(name: string): string {
  const folder = join(cache, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

const nameOf = (spec: string): string => spec.replace(/(?<=.)@.*$/, '')

/** Runs install scripts. Returns the parent of node_modules; exits if npm fails. */
export function npmPackages(name: string, specs: string[], flags: string[] = []): string {
  const folder = cacheFolder(name)
  if (specs.every((spec) => existsSync(join(folder, 'node_modules', nameOf(spec))))) return folder
  const manifest = { private: true, allowScripts: Object.fromEntries(specs.map((spec) => [nameOf(spec), true])) }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const args = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...flags, ...specs]
  if (!succeeds('npm', args, folder)) notMeasured(`npm could not install ${specs.join(', ')} into ${folder}`)
  return folder
}

/** Returns the parent of the packages' folders; exits on failure. */
export function debianPackages(names: string[]): string {
  const folder = cacheFolder('debian')
  for (const name of names.filter((each) => !existsSync(join(folder, each)))) {
    const isFetched = succeeds('apt-get', ['download', '-qq', name], folder)
    const file = readdirSync(folder).find((each) => each.startsWith(`${name}_`) && each.endsWith('.deb'))
    if (!isFetched || file === undefined || !succeeds('dpkg-deb', ['-x', file, name], folder))
      notMeasured(`apt-get and dpkg-deb could not fetch ${name}`)
    rmSync(join(folder, file))
  }
  return folder
}
