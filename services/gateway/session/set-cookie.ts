import type { CookieScope } from '../../../platform/http/gateway/outer-address.ts'

/** Forms a `Set-Cookie` header. `maxAge` in seconds; 0 removes the cookie. */
export function setCookie(name: string, value: string, maxAge: number, { path, isSecure }: CookieScope): string {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`
}
