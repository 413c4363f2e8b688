/** Replaces XMLHttpRequest, which reports upload progress. */
export class FakeUpload {
  static sent: FakeUpload[] = []
  status = 0
  responseText = ''
  responseType = ''
  headers: Record<string, string> = {}
  body: FormData | null = null
  upload: { onprogress: ((event: object) => void) | null } = { onprogress: null }
  onload: (() => void) | null = null
  onerror: (() => void) | null = null
  onabort: (() => void) | null = null
  open() {}
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  getResponseHeader() {
    return null
  }
  send(body: FormData) {
    this.body = body
    FakeUpload.sent.push(this)
  }
  abort() {
    this.onabort?.()
  }
  answer(status: number, body: unknown) {
    this.status = status
    this.responseText = JSON.stringify(body)
    this.onload?.()
  }
}
