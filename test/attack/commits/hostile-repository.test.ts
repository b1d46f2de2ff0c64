import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DesiredState, ReadContext } from '../../../controller/reading/desired-state.ts'
import { GitSource } from '../../../controller/reading/git/git-source.ts'
import { renderDiagnostics } from '../../../controller/rendering/diagnostics/index.ts'
import { systemClock } from '../../../platform/core/clock.ts'
import type { WantedRef } from '../../../platform/git/refs.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { counted } from '../../support/counts.ts'
import { Origin } from '../../platform/git/origin.ts'

const context: ReadContext = { exists: () => false, variable: () => undefined }
const [MIB, GIB] = [1024 ** 2, 1024 ** 3]
const policy = (name: string) => `name: ${name}\nmode: allow_all\n`

function reading(origin: Origin, { path = '', ref = {} }: { path?: string; ref?: WantedRef } = {}) {
  const folder = join(origin.home, 'kept')
  const reader = new GitSource({
    kinds,
    home: origin.home,
    env: { PATH: process.env.PATH },
    clock: systemClock,
    log: noLog,
    folder,
    checkout: join(origin.home, 'checkout'),
    busyIn: async () => [],
    place: { url: origin.url, ref, path, pollSecs: 3600, credentials: {}, verify: null },
  })
  onTestFinished(reader.watch(() => undefined))
  const read = async (): Promise<DesiredState> => {
    await reader.remote.refresh()
    return reader.read(context)
  }
  const mirror = join(folder, 'mirror.git')
  const kept = () => origin.git(`--git-dir=${mirror}`, 'cat-file', '--batch-all-objects', '--batch-check').split('\n')
  return { reader, read, folder, mirror, kept }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile())
const bytesBelow = (folder: string): number =>
  filesBelow(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
/** Growth of this process's peak memory in MiB. */
const growthSince = (before: number) => (process.resourceUsage().maxRSS - before) / 1024
const faultsIn = ({ diagnostics }: DesiredState) => diagnostics.map(({ file, code }) => `${file} ${code}`)

test('does not fetch a file of one GiB from any folder', { timeout: 300_000 }, async () => {
  const origin = new Origin()
  origin.git('config', 'core.compression', '1')
  closeSync(openSync(join(origin.folder, 'model.bin'), 'w'))
  truncateSync(join(origin.folder, 'model.bin'), GIB)
  const beside = origin.commit({ 'team/policies/a.yml': policy('a') })
  const { read, kept, folder } = reading(origin, { path: 'team' })
  expect((await read()).revision).toBe(beside)
  origin.git('mv', 'model.bin', 'team/huge.yml')
  const among = origin.commit({})
  const before = process.resourceUsage().maxRSS
  const state = await read()
  expect(state).toMatchObject({ revision: beside, attempted: among, complete: false })
  expect(faultsIn(state)).toEqual(['huge.yml file-too-large'])
  expect(kept().filter((line) => line.endsWith(String(GIB)))).toEqual([])
  expect(growthSince(before)).toBeLessThan(200)
  expect(bytesBelow(folder)).toBeLessThan(2 * MIB)
})

test('reports manifests that are too large and reads the others', { timeout: 120_000 }, async () => {
  const origin = new Origin()
  origin.git('config', 'core.compression', '0')
  const many = Array.from({ length: 40 }, (_, at) => [`policies/p${at}.yml`, policy(`p${at}`)])
  const large = { 'policies/x.yml': randomBytes(18 * MIB), 'policies/y.yml': randomBytes(3 * MIB) }
  const commit = origin.commit({ ...Object.fromEntries(many), ...large })
  const { read, reader, mirror, folder } = reading(origin)
  expect(faultsIn(await read())).toEqual(['policies/x.yml file-too-large', 'policies/y.yml file-too-large'])
  expect((await reader.remote.readRevision(commit, context)).resources).toHaveLength(40)
  expect(bytesBelow(folder)).toBeLessThan(4 * MIB)
  expect(filesBelow(join(mirror, 'objects')).filter((name) => name.includes('tmp_'))).toEqual([])
})

test('fetches only the followed one of ten thousand branches', { timeout: 120_000 }, async () => {
  const origin = new Origin()
  const branches = Array.from({ length: 10_000 }, (_, at) => {
    const text = policy(`p${at}`)
    const head = `commit refs/heads/b/${at}\ncommitter M <m@example.org> 1700000000 +0000\ndata 1\nx\n`
    return `${head}M 644 inline policies/p${at}.yml\ndata ${text.length}\n${text}\n`
  })
  execFileSync('git', ['-C', origin.folder, 'fast-import', '--quiet'], { input: branches.join('') })
  const wanted = origin.git('rev-parse', 'b/4711')
  const { read, kept } = reading(origin, { ref: { branch: 'b/4711' } })
  const began = systemClock.monotonic()
  const state = await read()
  counted('git: milliseconds to fetch one branch of 10,000', Math.round(systemClock.monotonic() - began))
  expect([state.revision, state.resources.map(({ name }) => name)]).toEqual([wanted, ['p4711']])
  // The commit, two folders and the manifest.
  expect(kept()).toHaveLength(4)
})

test('reports names with invalid UTF-8 or terminal control characters', async () => {
  const origin = new Origin()
  const good = origin.commit({ 'team/policies/a.yml': policy('a') })
  const { read } = reading(origin, { path: 'team' })
  expect((await read()).revision).toBe(good)
  const at = (...parts: (string | number)[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(typeof part === 'number' ? [part] : part)))
  const folder = at(`${origin.folder}/team/`, 0xe4, 0xff)
  mkdirSync(folder)
  for (const name of ['/b.yml', '/notes.txt']) writeFileSync(at(...folder, name), 'x')
  writeFileSync(at(`${origin.folder}/team/`, 0xff, '.png'), 'x')
  writeFileSync(`${origin.folder}/team/policies/\u001b[2J\n.yml`, 'mode: allow_all\n')
  const bad = origin.commit({})
  const state = await read()
  expect(state).toMatchObject({ revision: good, attempted: bad })
  expect(faultsIn(state)).toEqual(['policies/\u001b[2J\n.yml missing-member', '\ufffd\ufffd/b.yml file-unreadable'])
  expect(renderDiagnostics(state.diagnostics, 'human')).not.toContain('\u001b[2J')
})

test('terminates on link cycles and exponentially many links', { timeout: 60_000 }, async () => {
  const origin = new Origin()
  const good = origin.commit({ 'policies/a.yml': policy('a') })
  const { read, reader } = reading(origin)
  expect((await read()).revision).toBe(good)
  const links = ['one.yml', 'two.yml', 'self.yml']
  const circles = origin.commit({
    'one.yml': { link: 'two.yml' },
    'two.yml': { link: 'one.yml' },
    'self.yml': { link: 'self.yml' },
    'round/about': { link: '../round' },
    'there/back': { link: '../back' },
    'back/there': { link: '../there' },
  })
  const state = await read()
  expect(state).toMatchObject({ revision: good, attempted: circles })
  expect(faultsIn(state)).toEqual([...links].sort().map((path) => `${path} file-unreadable`))
  const doubled = Array.from({ length: 60 }, (_, level) =>
    ['x', 'y'].map((name) => [`d${level}/${name}`, { link: `../d${level + 1}` }]),
  )
  const bomb = origin.commit({
    ...Object.fromEntries([...links.map((path) => [path, null]), ...doubled.flat()]),
    'd60/readme': 'x',
  })
  expect(await read()).toMatchObject({ revision: good })
  expect(reader.remote.attempted()).toBe(bomb)
  expect(reader.remote.trouble()).toMatch(
    /^commit \w+ cannot be read: links to folders add .*: remove links such as d0\/.*; nothing is pruned$/,
  )
})

test('reports a commit that expands to too many files', { timeout: 60_000 }, async () => {
  const origin = new Origin()
  const good = origin.commit({ 'policies/a.yml': policy('a') })
  const { read, reader } = reading(origin)
  expect((await read()).revision).toBe(good)
  const mktree = (entry: string, name: string) => {
    const input = Array.from({ length: 10 }, (_, at) => `${entry}\t${name}${at}`).join('\n')
    return execFileSync('git', ['-C', origin.folder, 'mktree'], { input, encoding: 'utf8' }).trim()
  }
  let tree = mktree(`100644 blob ${origin.git('rev-parse', 'HEAD:policies/a.yml')}`, 'file')
  for (let level = 0; level < 9; level++) tree = mktree(`040000 tree ${tree}`, 'folder')
  const bomb = origin.git('commit-tree', '-p', good, '-m', 'unfolds', tree)
  origin.git('update-ref', 'refs/heads/main', bomb)
  expect((await read()).revision).toBe(good)
  expect(reader.remote.attempted()).toBe(bomb)
  expect(reader.remote.trouble()).toMatch(
    /^commit \w+ cannot be read: too many files and folders to list; nothing is pruned$/,
  )
})

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`

test('reports git LFS pointers, as manifest or template, and does not fetch', async () => {
  const origin = new Origin()
  const good = origin.commit({ 'policies/a.yml': policy('a') })
  const { read } = reading(origin)
  expect((await read()).revision).toBe(good)
  const bad = origin.commit({
    '.gitattributes': '*.yml filter=lfs diff=lfs merge=lfs\n',
    'agents/one.yml': 'name: one\nworking_dir: /tmp\n',
    'policies/large.yml': pointer,
    'texts/page.md': pointer,
    'documents/page.yml': 'name: page\ncontent_file: ../texts/page.md\n',
    'workflows/flow.yml': 'name: flow\nagent: one\nsource: { type: manual }\nprompt_template_file: ../texts/page.md\n',
  })
  const state = await read()
  expect(state).toMatchObject({ revision: good, attempted: bad })
  const said = 'is a git LFS pointer; the file it points to is not fetched'
  expect(state.diagnostics.map(({ file, line, code, message }) => `${file}:${line} ${code}: ${message}`)).toEqual([
    `documents/page.yml:2 lfs-pointer: the file "../texts/page.md" ${said}`,
    `policies/large.yml:1 lfs-pointer: this ${said}`,
    `workflows/flow.yml:4 lfs-pointer: template file "../texts/page.md" ${said}`,
  ])
})

test('ignores a submodule beside the manifests and never contacts its server', async () => {
  const origin = new Origin()
  const first = origin.commit({
    'team/policies/a.yml': policy('a'),
    'team/agents/one.yml': 'name: one\nworking_dir: .\n',
    '.gitmodules': '[submodule "m"]\npath = vendor\nurl = http://127.0.0.1:1/evil.git\nupdate = !false\n',
  })
  origin.git('update-index', '--add', '--cacheinfo', `160000,${first},vendor`)
  origin.git('commit', '--quiet', '-m', 'module')
  const { read, reader } = reading(origin, { path: 'team' })
  const state = await read()
  expect([faultsIn(state), reader.remote.trouble(), state.resources.length]).toEqual([[], null, 2])
  expect(readdirSync(join(origin.home, 'checkout', 'vendor'))).toEqual([])
})

test('reads nothing of git through a link', async () => {
  const origin = new Origin()
  const good = origin.commit({ 'policies/a.yml': policy('a') })
  const { read, folder } = reading(origin)
  expect((await read()).revision).toBe(good)
  origin.commit({
    'policies/git.yml': { link: '../.git/config' },
    // Not a manifest: nothing to report.
    'policies/inner': { link: '../.git' },
    'policies/mirror.yml': { link: join(folder, 'mirror.git', 'config') },
    'policies/above.yml': { link: '../../mirror.git/config' },
  })
  const { revision, diagnostics } = await read()
  expect(revision).toBe(good)
  expect(Object.fromEntries(diagnostics.map(({ file, code }) => [file, code]))).toEqual({
    'policies/above.yml': 'file-outside',
    'policies/git.yml': 'file-unreadable',
    'policies/mirror.yml': 'file-outside',
  })
  expect(JSON.stringify(diagnostics)).not.toMatch(/repositoryformatversion|bare =/)
})

test('recovers from locks and partial files of a killed git', async () => {
  const origin = new Origin()
  const agent = 'name: one\nworking_dir: .\n'
  origin.commit({ 'agents/one.yml': agent, a: '1' })
  const { mirror, folder, read: readFirst } = reading(origin)
  await readFirst()
  const refs = filesBelow(join(mirror, 'refs')).map((ref) => `refs/${ref}.lock`)
  expect(refs.length).toBeGreaterThan(2)
  const left = ['shallow.lock', 'config.lock', 'packed-refs.lock', 'objects/pack/tmp_pack_xyz', ...refs]
  for (const name of left) writeFileSync(join(mirror, name), '')
  writeFileSync(join(folder, 'index.lock'), '')
  const second = origin.commit({ 'agents/one.yml': `${agent}prompt: Go\n`, a: '2' })
  const { read, reader } = reading(origin)
  expect(await read()).toMatchObject({ revision: second, complete: true })
  expect(reader.remote.trouble()).toBe(null)
  expect(left.filter((name) => existsSync(join(mirror, name)))).toEqual([])
})

test('keeps the last state while a branch or repository is missing', async () => {
  const origin = new Origin()
  const good = origin.commit({ 'policies/a.yml': policy('a') })
  const { read, reader } = reading(origin, { ref: { branch: 'main' } })
  expect((await read()).revision).toBe(good)
  origin.git('branch', '-m', 'main', 'trunk')
  await expect(read()).rejects.toThrow(/has no branch main; the last good state stays in force/)
  expect((await reader.read(context)).revision).toBe(good)
  rmSync(origin.folder, { recursive: true })
  await expect(read()).rejects.toThrow(/cannot be queried.*; the last good state stays in force/)
  expect((await reader.read(context)).revision).toBe(good)
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', origin.folder])
  await expect(read()).rejects.toThrow('has no branch main')
  // The name now leads to another repository, on a server without filters.
  const other = origin.commit({ 'policies/b.yml': policy('b') })
  expect((await read()).resources.map(({ name }) => name)).toEqual(['b'])
  expect([reader.remote.attempted(), reader.remote.trouble()]).toEqual([other, null])
})
