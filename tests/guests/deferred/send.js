// One call, which may be refused.
try {
    result = call_tool('mail.send', { to: 'x' });
} catch (error) {
    result = [error.kind, error.message];
}
