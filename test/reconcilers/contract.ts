import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { maskSpec } from '../../controller/planning/masking.ts'
import { MovedError, type Lookup, type Movement, type Reconciler, type Step } from '../../controller/reconciler.ts'
import { Vault } from '../../platform/secrets/vault.ts'
import { topMember } from '../../schemas/members/member-path.ts'
import { eventually } from '../support/eventually.ts'

/** A step that writes `members` (default all) if they still equal `seen`. */
export function stepOf<Spec extends { name: string }>(
  action: Step<Spec>['action'],
  liveId: string,
  spec: Spec,
  { members = Object.keys(spec), seen = null }: { members?: string[]; seen?: Spec | null } = {},
): Step<Spec> {
  return { action, name: spec.name, liveId, spec, members, seen, seenVersion: null, changes: [], requestId: 'run-1' }
}

export interface Subject {
  reconciler: Reconciler
  lookup: Lookup
  spec(name: string): any
  /** Also returns the path of the changed field. */
  changed(spec: any): { spec: any; path: string }
  /** Changes the live resource as a user would. */
  byHand(liveId: string): Promise<{ path: string; actor: string }>
  /** Creates a live resource. */
  foreign(name: string): Promise<void>
}

export function reconcilerContract(open: () => Promise<Subject>): void {
  const { signal } = new AbortController()
  const vault = new Vault(randomBytes(32))
  const text = (spec: object) => maskSpec(spec, vault).digest
  let subject: Subject
  beforeAll(async () => {
    subject = await open()
  })
  const observe = (name: string, liveId: string | null) =>
    subject.reconciler.observe({ name, liveId }, subject.lookup, signal)
  const apply = (spec: any, liveId: string, action: 'create' | 'update' | 'adopt' = 'create') =>
    subject.reconciler.apply(stepOf(action, liveId, spec), subject.lookup, signal)
  const count = async (name: string) =>
    (await subject.reconciler.observeAll(subject.lookup, signal)).filter((observed) => observed.spec.name === name)
      .length

  test('observes null if there is no resource', async () => {
    expect(await observe('nothing', null)).toBeNull()
    expect(await observe('nothing', randomUUID())).toBeNull()
  })

  test('creates a resource and reads back an equal spec', async () => {
    const spec = subject.spec('fresh')
    const applied = await apply(spec, randomUUID())
    const observed = await observe('fresh', applied.liveId)
    expect(text(applied.spec)).toBe(text(spec))
    expect(text(observed!.spec)).toBe(text(spec))
    expect(['Ready', 'Progressing']).toContain(subject.reconciler.health(observed!.live).status)
  })

  test('applies idempotently', async () => {
    const spec = subject.spec('twice')
    const first = await apply(spec, randomUUID())
    const second = await apply(spec, first.liveId)
    expect(second.liveId).toBe(first.liveId)
    expect(await count('twice')).toBe(1)
  })

  test('observes without side effects', async () => {
    const { liveId } = await apply(subject.spec('watched'), randomUUID())
    const before = text((await observe('watched', liveId))!.spec)
    await observe('watched', null)
    expect(text((await observe('watched', liveId))!.spec)).toBe(before)
    expect(await count('watched')).toBe(1)
  })

  test('converges to a changed spec', async () => {
    const spec = subject.spec('moving')
    const { liveId } = await apply(spec, randomUUID())
    const changed = subject.changed(spec)
    await apply(changed.spec, liveId, 'update')
    expect(text((await observe('moving', liveId))!.spec)).toBe(text(changed.spec))
  })

  test('publishes manual changes with the writer of the field', async () => {
    const spec = subject.spec('drifting')
    const { liveId } = await apply(spec, randomUUID())
    const heard: Movement[] = []
    const unsubscribe = subject.reconciler.changes((movement) => heard.push(movement))
    const { path, actor } = await subject.byHand(liveId)
    const first = await eventually(() => heard.find(({ name, by }) => name === 'drifting' && by?.actor === actor))
    unsubscribe()
    const later: Movement[] = []
    const leave = subject.reconciler.changes((movement) => later.push(movement), first.cursor - 1)
    const missed = await eventually(() => later.find((movement) => movement.liveId === liveId))
    leave()
    expect([missed.by?.actor, missed.cursor], 'told to who was away, with its writer').toEqual([actor, first.cursor])
    expect(text((await observe('drifting', liveId))!.spec)).not.toBe(text(spec))
    expect(await subject.reconciler.writer(liveId, path)).toMatchObject({ actor })
    await apply(spec, liveId, 'update')
    expect(text((await observe('drifting', liveId))!.spec)).toBe(text(spec))
  })

  test("writes only the step's fields, or nothing if one changed", async () => {
    const spec = subject.spec('shared')
    const { liveId } = await apply(spec, randomUUID())
    const changed = subject.changed(spec)
    const mine = topMember(changed.path)
    const { path } = await subject.byHand(liveId)
    const byHand = (await observe('shared', liveId))!.spec
    const update = (members: string[]) =>
      subject.reconciler.apply(stepOf('update', liveId, changed.spec, { members, seen: spec }), subject.lookup, signal)
    await expect(update([topMember(path)])).rejects.toThrow(MovedError)
    expect(text((await observe('shared', liveId))!.spec)).toBe(text(byHand))
    if (mine === topMember(path)) return
    await update([mine])
    expect(text((await observe('shared', liveId))!.spec)).toBe(text({ ...byHand, [mine]: changed.spec[mine] }))
  })

  test('does not recreate a resource deleted since the plan', async () => {
    const spec = subject.spec('deleted')
    const { liveId } = await apply(spec, randomUUID())
    await subject.reconciler.remove({ name: 'deleted', liveId }, 'run-2', signal)
    const step = stepOf('update', liveId, subject.changed(spec).spec, { seen: spec })
    await expect(subject.reconciler.apply(step, subject.lookup, signal)).rejects.toThrow(MovedError)
    expect(await count('deleted')).toBe(0)
  })

  test('increments the version with every change', async () => {
    const { liveId } = await apply(subject.spec('counted-up'), randomUUID())
    const before = (await observe('counted-up', liveId))!.version
    await subject.byHand(liveId)
    expect((await observe('counted-up', liveId))!.version).toBeGreaterThan(before!)
  })

  test('adopts a resource that it did not create', async () => {
    await subject.foreign('foreign')
    const found = await observe('foreign', null)
    const spec = subject.spec('foreign')
    await apply(spec, found!.liveId, 'adopt')
    expect(await count('foreign')).toBe(1)
    expect(text((await observe('foreign', found!.liveId))!.spec)).toBe(text(spec))
  })

  test('removes idempotently', async () => {
    const { liveId } = await apply(subject.spec('leaving'), randomUUID())
    await subject.reconciler.remove({ name: 'leaving', liveId }, 'run-2', signal)
    expect(await observe('leaving', liveId)).toBeNull()
    await subject.reconciler.remove({ name: 'leaving', liveId }, 'run-3', signal)
  })

  test('observes the same resources singly and together', async () => {
    const { liveId } = await apply(subject.spec('counted'), randomUUID())
    const all = await subject.reconciler.observeAll(subject.lookup, signal)
    const one = await observe('counted', liveId)
    expect(text(all.find((observed) => observed.liveId === liveId)!.spec)).toBe(text(one!.spec))
  })
}
