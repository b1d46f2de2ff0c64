import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DesiredPlace } from '../../../../../platform/files/desired-files.ts'
import { desiredPaths } from '../../../../../services/orchestrator/agents/sandbox/desired-paths.ts'

let project: string
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'svc-desired-')))
})
afterEach(() => rmSync(project, { recursive: true }))

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    writeFileSync(join(project, file), '')
  }
}

const source = (folder: string): DesiredPlace => ({
  readBy: 'source default',
  root: join(project, folder),
  reads: (path) => /\.ya?ml$/.test(path) && !path.includes('/node_modules/'),
})
const found = (place: DesiredPlace, writable = [project]) =>
  desiredPaths([place], writable).map((path) => path.slice(project.length + 1))

test('protects a folder that holds only manifests as a whole', () => {
  write('manifests/agents/a.yml', 'manifests/svc.yaml', 'src/a.ts')
  expect(found(source('manifests'))).toEqual(['manifests'])
})

test('protects it as a whole beside empty folders', () => {
  write('manifests/agents/a.yml')
  mkdirSync(join(project, 'manifests', 'rooms'))
  expect(found(source('manifests'))).toEqual(['manifests'])
})

test('protects the files and folders of manifests in a folder with other files', () => {
  write('svc.yaml', 'README.md', 'agents/a.yml', 'agents/b.yml', 'mixed/c.yml', 'mixed/c.txt', 'node_modules/x/y.yml')
  expect(found(source('.'))).toEqual(['agents', 'mixed/c.yml', 'svc.yaml'])
})

test('protects the part of a source in which the agent works', () => {
  write('manifests/agents/a.yml', 'manifests/README.md', 'manifests/rooms/r.yml')
  expect(found(source('manifests'), [join(project, 'manifests', 'agents')])).toEqual(['manifests/agents'])
})

test('leaves sources out that the agent cannot write', () => {
  write('manifests/agents/a.yml', 'src/a.ts')
  expect(found(source('manifests'), [join(project, 'src')])).toEqual([])
  expect(found({ readBy: 'verify', root: join(project, 'signers') }, [join(project, 'src')])).toEqual([])
})

test('protects a folder of manifests and of a single file as a whole', () => {
  write('manifests/agents/a.yml', 'manifests/signers')
  const signers: DesiredPlace = { readBy: 'verify', root: join(project, 'manifests', 'signers') }
  const paths = desiredPaths([source('manifests'), signers], [project])
  expect(paths).toEqual([join(project, 'manifests'), signers.root])
})

test('protects a single file', () => {
  write('signers')
  expect(found({ readBy: 'verify', root: join(project, 'signers') })).toEqual(['signers'])
})
