import { act, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { LoginDialogProvider, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { closeModal, openModal } from '@/shared/ui/modals'
import { announcementsQuery } from './announcements'
import { ModalHost } from './modal-host'

const response = (opens: boolean, workflows: string[] = []) => ({
  items: [
    {
      _id: `news-${opens}`,
      from: '2026-01-01T00:00:00Z',
      opens,
      title: { en: 'A new pool', ko: '새 풀' },
      text: { en: 'First.\n\nSecond.', ko: '첫째.\n\n둘째.' },
    },
  ],
  workflowAlert: {
    workflows,
    title: { en: 'Not available', ko: '사용할 수 없음' },
    text: { en: 'Back in July.', ko: '7월에 돌아옵니다.' },
  },
})

function show(announcements: ReturnType<typeof response>, path = '/') {
  stubApi({})
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, null)
  client.setQueryData(announcementsQuery().queryKey, announcements)
  return renderApp(
    <LoginDialogProvider>
      <ModalHost />
    </LoginDialogProvider>,
    { client, path },
  )
}

describe('announcements', () => {
  it('open on a press, and then count as seen', async () => {
    show(response(false))
    expect(screen.queryByRole('dialog')).toBeNull()
    act(() => openModal('announcements', {}))
    expect(await screen.findByText('A new pool')).toBeTruthy()
    expect(screen.getByText('Second.')).toBeTruthy()
    expect(localStorage.getItem('vg.announcementsSeen')).toContain('news-false')
    act(() => closeModal('announcements'))
  })

  it('open by themselves if the operator wants it', async () => {
    show(response(true))
    expect(await screen.findByText('A new pool')).toBeTruthy()
    act(() => closeModal('announcements'))
  })

  it('warn when a workflow that does not work is opened', async () => {
    show(response(false, ['app-1']), '/easy-app/app-1')
    expect(await screen.findByText('Back in July.')).toBeTruthy()
  })

  it('are silent on pages of other workflows', () => {
    show(response(false, ['app-1']), '/easy-app/app-2')
    expect(screen.queryByText('Back in July.')).toBeNull()
  })
})

describe('the guidebook', () => {
  it('opens at the requested chapter', async () => {
    show(response(false))
    act(() => openModal('guidebook', { chapter: 'publish' }))
    expect(await screen.findByText('Change your mind')).toBeTruthy()
    act(() => closeModal('guidebook'))
  })
})
