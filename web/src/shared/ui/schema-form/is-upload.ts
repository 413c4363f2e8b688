/** Whether the value of a field with this widget is the id of an uploaded file. */
export const isUpload = (widget: string): boolean => ['image', 'video', 'audio', 'textfile'].includes(widget)
