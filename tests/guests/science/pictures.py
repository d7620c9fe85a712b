# Pictures with Pillow: formats, filters, geometry, drawing.
import hashlib
import io

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageMath, ImageMorph, ImageOps, ImageStat, features

gradient = Image.linear_gradient("L").resize((64, 64))
picture = Image.merge("RGB", (gradient, gradient.rotate(90), ImageOps.invert(gradient)))
print(picture.size, picture.mode, picture.getpixel((3, 60)), ImageStat.Stat(picture).mean)
for name, options in (("PNG", {"optimize": True}), ("GIF", {}), ("BMP", {}), ("PPM", {}), ("TIFF", {}), ("TGA", {}), ("ICO", {}), ("PCX", {}), ("SGI", {}), ("DDS", {}), ("WEBP", {"lossless": True, "exact": True})):
    buffer = io.BytesIO()
    picture.save(buffer, name, **options)
    again = Image.open(io.BytesIO(buffer.getvalue()))
    same = ImageChops.difference(again.convert("RGB").resize((64, 64)), picture).getbbox() is None
    print(name, again.format, again.size, again.mode, same)
for name, options in (("JPEG", {}), ("JPEG", {"quality": 20, "progressive": True}), ("JPEG", {"quality": 95, "subsampling": 0}), ("WEBP", {"quality": 60})):
    buffer = io.BytesIO()
    picture.save(buffer, name, **options)
    again = Image.open(io.BytesIO(buffer.getvalue()))
    again.load()
    digests = [hashlib.sha256(data).hexdigest()[:12] for data in (buffer.getvalue(), again.tobytes())]
    print(name, again.format, again.mode, len(buffer.getvalue()), digests, sorted(again.info))
    for length in (10, len(buffer.getvalue()) // 2):
        try:
            Image.open(io.BytesIO(buffer.getvalue()[:length])).load()
        except Exception as problem:
            print(type(problem).__name__, str(problem).split("<")[0].split("(")[0])
draw = ImageDraw.Draw(picture)
draw.rectangle((5, 5, 25, 20), fill="red", outline="white", width=2)
draw.ellipse((30, 30, 60, 60), fill=(0, 255, 0))
draw.line((0, 0, 63, 63), fill="blue", width=3)
draw.polygon([(50, 2), (62, 2), (56, 14)], fill="yellow")
print([picture.getpixel(point) for point in ((10, 10), (45, 45), (2, 2), (56, 5))])
font = ImageFont.load_default(20)
print(font.getbbox("Hello")[2] > 30, font.getname()[0])
draw.text((2, 40), "Hi", fill="black", font=font)
print(picture.convert("L").getbbox(), len(picture.getcolors(5000)) > 100)
for filtered in (ImageFilter.GaussianBlur(2), ImageFilter.SHARPEN, ImageFilter.MedianFilter(3), ImageFilter.Kernel((3, 3), [1] * 9)):
    print([round(value, 1) for value in ImageStat.Stat(gradient.filter(filtered)).stddev])
print([gradient.resize((7, 5), method).getpixel((3, 2)) for method in Image.Resampling])
print(gradient.transpose(Image.Transpose.ROTATE_90).getpixel((5, 5)), gradient.crop((10, 10, 20, 30)).size, picture.thumbnail((16, 16)), picture.size)
print(ImageEnhance.Contrast(gradient).enhance(1.5).getextrema(), gradient.quantize(4).getcolors(), ImageOps.equalize(gradient).getextrema())
print(ImageMath.lambda_eval(lambda names: names["convert"](names["a"] + 1, "L"), a=gradient).getextrema())
print(ImageMorph.MorphOp(op_name="dilation4").apply(gradient.point(lambda value: 255 * (value > 128)))[0])
buffer = io.BytesIO()
picture.convert("CMYK").save(buffer, "JPEG")
print(Image.open(buffer).mode, Image.open(buffer).draft("L", (16, 16)))
print([features.check(name) for name in ("zlib", "freetype2", "jpg", "webp")])
frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "green", "blue")]
buffer = io.BytesIO()
frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], duration=50)
print(Image.open(buffer).n_frames)
for attempt in (
    lambda: Image.open(io.BytesIO(b"not a picture")),
    lambda: Image.open(io.BytesIO(buffer.getvalue()[:20])).load(),
    lambda: Image.new("RGB", (-1, 3)),
    lambda: gradient.getpixel((100, 100)),
    lambda: ImageFont.truetype(io.BytesIO(b"not a font"), 10),
    lambda: Image.frombytes("L", (4, 4), b"123"),
    lambda: picture.convert("none"),
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, str(error).split("<")[0].split(" at 0x")[0][:80])
