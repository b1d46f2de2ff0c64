import { expect, test } from 'vitest'
import { canAct, limitText } from '../../../web/frame/permissions.ts'

test('needs the permission, a live connection and a person', () => {
  const person = { role: 'operator' as const, may: ['approve' as const], agent: null }
  expect(canAct(person, 'approve', false)).toBe(true)
  expect(canAct(person, 'apply', false)).toBe(false)
  expect(canAct(person, 'approve', true)).toBe(false)
  expect(canAct({ ...person, agent: 'a1' }, 'approve', false)).toBe(false)
})

test('needs only the role operator where no permission is named', () => {
  const may = { may: [], agent: null }
  const allowed = (['admin', 'operator', 'viewer', null] as const).map((role) =>
    canAct({ ...may, role }, 'operator', false),
  )
  expect(allowed).toEqual([true, true, false, false])
})

test('says why an action is disabled', () => {
  const viewer = { subject: 'jon', role: 'viewer' as const, may: [], agent: null }
  expect(limitText(viewer, 'apply', false)).toBe('You are jon (viewer). This takes the permission apply.')
  expect(limitText(viewer, 'operator', false)).toBe('You are jon (viewer). This takes the role operator.')
  expect(limitText(viewer, 'apply', true)).toContain('disconnected')
  expect(limitText({ ...viewer, role: null, may: ['apply'], agent: 'a1' }, 'apply', false)).toContain('agent')
  expect(limitText({ ...viewer, may: ['apply'] }, 'apply', false)).toBeNull()
})
